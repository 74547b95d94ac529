! RRTMG_LW's initialisation, by Isobar: `call rrtmg_lw_ini(cpdair)`, as with AER's module of this name.
!
! The absorption coefficients come from a file of RRTMG_LW: RRTMG_LW_DATA or RRTMG_LW_DATA_DBL as WRF has them, of
! either order of bytes, and no k-distribution of another code. Its path is the second argument, or else the environment
! variable ISOBAR_RRTMG_LW_DATA, or else that of the first of these files in the working folder. ISOBAR_DEVICES says
! where columns are computed: `thread`, which is the calling thread and the default, `cpu` for all threads, `cuda`, ...
module rrtmg_lw_init
  use parkind, only: rb => kind_rb
  use isobar, only: isobar_scheme
  implicit none
  private
  public :: rrtmg_lw_ini

  ! For rrtmg_lw_rad alone: the scheme with its coefficients, and the heat capacity of dry air [J/(kg K)].
  type(isobar_scheme), save, public, protected :: longwave
  real(rb), save, public, protected :: heat_capacity = 0

contains

  ! Reads the coefficients. `cpdair` is the heat capacity of dry air at constant pressure [J/(kg K)], for heating rates.
  ! Once, before rrtmg_lw and by one thread; again for another file or heat capacity.
  subroutine rrtmg_lw_ini(cpdair, file, stat, errmsg)
    real(rb), intent(in) :: cpdair
    character(*), intent(in), optional :: file
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(:), allocatable :: path, devices, escaped, problem
    ! ISOBAR_STATUS_FILE.
    integer, parameter :: wrong_file = -7

    path = ''
    if (present(file)) path = trim(file)
    if (path == '') call read_environment('ISOBAR_RRTMG_LW_DATA', path)
    if (path == '') call find_first([character(17) :: 'RRTMG_LW_DATA_DBL', 'RRTMG_LW_DATA'], path)
    call read_environment('ISOBAR_DEVICES', devices)
    if (devices == '') devices = 'thread'
    heat_capacity = cpdair
    call quote(path, escaped)
    call longwave%create('radiation', rb, '{"tables": {"k_distributions": ["' // escaped // '"]}}', devices, &
      stat, errmsg)
    if (.not. longwave%is_created()) return
    ! Others, RRTMGP's among them, have no optics of clouds but by further tables.
    if (index(longwave%facts(), '"clouds":true') > 0) return
    call longwave%destroy()
    problem = 'rrtmg_lw_ini: ' // path // ' is a k-distribution of RRTMGP''s or ecCKD''s form, and has to be a ' // &
      'file of RRTMG_LW: RRTMG_LW_DATA or RRTMG_LW_DATA_DBL'
    if (present(errmsg)) errmsg = problem
    if (.not. present(stat)) error stop problem
    stat = wrong_file
  end subroutine rrtmg_lw_ini

  ! The value of a variable of the environment; nothing where there is none.
  subroutine read_environment(name, value)
    character(*), intent(in) :: name
    character(:), allocatable, intent(out) :: value
    integer :: length

    call get_environment_variable(name, length=length)
    allocate (character(length) :: value)
    if (length > 0) call get_environment_variable(name, value)
  end subroutine read_environment

  ! The first of these files that is there, or the first of them: then the error names it.
  subroutine find_first(files, path)
    character(*), intent(in) :: files(:)
    character(:), allocatable, intent(out) :: path
    logical :: is_there
    integer :: i

    do i = 1, size(files)
      inquire (file=trim(files(i)), exist=is_there)
      if (is_there) exit
    end do
    if (i > size(files)) i = 1
    path = trim(files(i))
  end subroutine find_first

  ! A text within a JSON text.
  subroutine quote(text, quoted)
    character(*), intent(in) :: text
    character(:), allocatable, intent(out) :: quoted
    integer :: i

    quoted = ''
    do i = 1, len(text)
      if (text(i:i) == '"' .or. text(i:i) == '\') quoted = quoted // '\'
      quoted = quoted // text(i:i)
    end do
  end subroutine quote

end module rrtmg_lw_init
