! Clouds in RTE+RRTMGP's interface. RTE's types hold optical depths by g-point; these hold the clouds themselves, water
! paths and sizes, of which the fluxes are computed. `ty_optical_props_1scl` absorbs only, `ty_optical_props_2str`
! scatters.
module mo_optical_props
  use mo_rte_kind, only: wp
  implicit none
  private
  public :: ty_optical_props_arry, ty_optical_props_1scl, ty_optical_props_2str

  type, abstract :: ty_optical_props_arry
    ! Paths [g/m2] and sizes [um] (columns, layers).
    real(wp), allocatable :: lwp(:, :), iwp(:, :), rel(:, :), dei(:, :)
    ! The file with their optics, and how rough their ice is.
    character(:), allocatable :: file
    integer :: roughness = 1
    ! Has delta_scale been called?
    logical :: is_scaled = .false.
  contains
    procedure :: get_ncol
    procedure :: get_nlay
    procedure :: finalize
    procedure :: delta_scale
  end type ty_optical_props_arry

  type, extends(ty_optical_props_arry) :: ty_optical_props_1scl
  contains
    procedure :: alloc_1scl => alloc_no_scattering
  end type ty_optical_props_1scl

  type, extends(ty_optical_props_arry) :: ty_optical_props_2str
  contains
    procedure :: alloc_2str => alloc_scattering
  end type ty_optical_props_2str

contains

  ! Room for clouds; what their spectrum is like is not read.
  function alloc_no_scattering(this, ncol, nlay, spectral_desc) result(err_message)
    class(ty_optical_props_1scl), intent(inout) :: this
    integer, intent(in) :: ncol, nlay
    class(*), intent(in), optional :: spectral_desc
    character(128) :: err_message
    err_message = ''
    if (.false. .and. present(spectral_desc)) return
    call no_clouds(this, ncol, nlay)
  end function alloc_no_scattering

  function alloc_scattering(this, ncol, nlay, spectral_desc) result(err_message)
    class(ty_optical_props_2str), intent(inout) :: this
    integer, intent(in) :: ncol, nlay
    class(*), intent(in), optional :: spectral_desc
    character(128) :: err_message
    err_message = ''
    if (.false. .and. present(spectral_desc)) return
    call no_clouds(this, ncol, nlay)
  end function alloc_scattering

  subroutine no_clouds(this, ncol, nlay)
    class(ty_optical_props_arry), intent(inout) :: this
    integer, intent(in) :: ncol, nlay
    call this%finalize()
    allocate (this%lwp(ncol, nlay), this%iwp(ncol, nlay), this%rel(ncol, nlay), this%dei(ncol, nlay))
    this%is_scaled = .false.
    this%lwp = 0
    this%iwp = 0
    this%rel = 0
    this%dei = 0
  end subroutine no_clouds

  pure integer function get_ncol(this)
    class(ty_optical_props_arry), intent(in) :: this
    get_ncol = 0
    if (allocated(this%lwp)) get_ncol = size(this%lwp, 1)
  end function get_ncol

  pure integer function get_nlay(this)
    class(ty_optical_props_arry), intent(in) :: this
    get_nlay = 0
    if (allocated(this%lwp)) get_nlay = size(this%lwp, 2)
  end function get_nlay

  subroutine finalize(this)
    class(ty_optical_props_arry), intent(inout) :: this
    if (allocated(this%lwp)) deallocate (this%lwp, this%iwp, this%rel, this%dei)
  end subroutine finalize

  ! The clouds' forward peak is taken for light that is not scattered: nothing for clouds that absorb only. Once, behind
  ! cloud_optics and before rte_sw, which has no clouds whose peak is not scaled.
  function delta_scale(this) result(err_message)
    class(ty_optical_props_arry), intent(inout) :: this
    character(128) :: err_message
    err_message = ''
    if (this%get_ncol() == 0) err_message = 'delta_scale: there are no clouds'
    if (this%is_scaled) err_message = 'delta_scale: the clouds have been scaled, and twice is not there in Isobar'
    if (err_message /= '') return
    select type (this)
    class is (ty_optical_props_2str)
      this%is_scaled = .true.
    end select
  end function delta_scale

end module mo_optical_props
