! The gases of RTE+RRTMGP's interface: `ty_gas_concs`, whose mixing ratios are given by name, one for all, one a layer,
! or one a column and layer. Names are those of the k-distribution's file, whatever their case.
module mo_gas_concentrations
  use, intrinsic :: ieee_arithmetic, only: ieee_is_nan
  use mo_rte_kind, only: wp
  implicit none
  private
  public :: ty_gas_concs

  integer, parameter :: name_length = 32

  type, public :: one_gas
    character(name_length) :: name = ''
    ! (columns or 1, layers or 1); not there where nothing was set.
    real(wp), allocatable :: vmr(:, :)
  end type one_gas

  type :: ty_gas_concs
    ! For mo_rrtmgp_clr_all_sky.
    type(one_gas), allocatable :: gases(:)
  contains
    procedure :: init
    procedure :: reset
    generic :: set_vmr => set_vmr_scalar, set_vmr_1d, set_vmr_2d
    generic :: get_vmr => get_vmr_1d, get_vmr_2d
    procedure :: get_num_gases
    procedure :: get_gas_names
    ! For mo_rrtmgp_clr_all_sky: the number of a gas, 0 where there is none.
    procedure :: find
    procedure, private :: set_vmr_scalar, set_vmr_1d, set_vmr_2d, get_vmr_1d, get_vmr_2d, put
  end type ty_gas_concs

contains

  ! The names of all gases that may be given.
  function init(this, gas_names) result(error_msg)
    class(ty_gas_concs), intent(inout) :: this
    character(*), intent(in) :: gas_names(:)
    character(128) :: error_msg
    integer :: i, j

    error_msg = ''
    call this%reset()
    do i = 1, size(gas_names)
      if (gas_names(i) == '') error_msg = 'ty_gas_concs%init: a gas has no name'
      do j = 1, i - 1
        if (lower(gas_names(i)) == lower(gas_names(j))) error_msg = 'ty_gas_concs%init: a gas is named twice'
      end do
    end do
    if (error_msg /= '') return
    allocate (this%gases(size(gas_names)))
    do i = 1, size(gas_names)
      this%gases(i)%name = lower(gas_names(i))
    end do
  end function init

  subroutine reset(this)
    class(ty_gas_concs), intent(inout) :: this
    if (allocated(this%gases)) deallocate (this%gases)
  end subroutine reset

  function set_vmr_scalar(this, gas, w) result(error_msg)
    class(ty_gas_concs), intent(inout) :: this
    character(*), intent(in) :: gas
    real(wp), intent(in) :: w
    character(128) :: error_msg
    error_msg = this%put(gas, reshape([w], [1, 1]))
  end function set_vmr_scalar

  ! One a layer.
  function set_vmr_1d(this, gas, w) result(error_msg)
    class(ty_gas_concs), intent(inout) :: this
    character(*), intent(in) :: gas
    real(wp), intent(in) :: w(:)
    character(128) :: error_msg
    error_msg = this%put(gas, reshape(w, [1, size(w)]))
  end function set_vmr_1d

  function set_vmr_2d(this, gas, w) result(error_msg)
    class(ty_gas_concs), intent(inout) :: this
    character(*), intent(in) :: gas
    real(wp), intent(in) :: w(:, :)
    character(128) :: error_msg
    error_msg = this%put(gas, w)
  end function set_vmr_2d

  function put(this, gas, w) result(error_msg)
    class(ty_gas_concs), intent(inout) :: this
    character(*), intent(in) :: gas
    real(wp), intent(in) :: w(:, :)
    character(128) :: error_msg
    integer :: i

    error_msg = ''
    i = this%find(gas)
    if (i == 0) then
      error_msg = 'ty_gas_concs%set_vmr: init was not told of ' // trim(gas)
    ! Not a number is not compared: that is an invalid operation.
    else if (any(ieee_is_nan(w))) then
      error_msg = 'ty_gas_concs%set_vmr: ' // trim(gas) // ' is NaN, which is not in [0, 1]'
    else if (any(w < 0 .or. w > 1)) then
      error_msg = 'ty_gas_concs%set_vmr: ' // trim(gas) // ' is not in [0, 1]'
    else
      this%gases(i)%vmr = w
    end if
  end function put

  function get_vmr_1d(this, gas, array) result(error_msg)
    class(ty_gas_concs), intent(in) :: this
    character(*), intent(in) :: gas
    real(wp), intent(out) :: array(:)
    character(128) :: error_msg
    real(wp) :: both(1, size(array))
    error_msg = this%get_vmr_2d(gas, both)
    array = both(1, :)
  end function get_vmr_1d

  function get_vmr_2d(this, gas, array) result(error_msg)
    class(ty_gas_concs), intent(in) :: this
    character(*), intent(in) :: gas
    real(wp), intent(out) :: array(:, :)
    character(128) :: error_msg
    integer :: i

    array = 0
    error_msg = 'ty_gas_concs%get_vmr: ' // trim(gas) // ' was not set'
    i = this%find(gas)
    if (i == 0) return
    if (.not. allocated(this%gases(i)%vmr)) return
    error_msg = ''
    associate (vmr => this%gases(i)%vmr)
      if (size(vmr) == 1) then
        array = vmr(1, 1)
      else if (size(vmr, 1) == 1 .and. size(vmr, 2) == size(array, 2)) then
        array = spread(vmr(1, :), 1, size(array, 1))
      else if (size(vmr, 1) == size(array, 1) .and. size(vmr, 2) == size(array, 2)) then
        array = vmr
      else
        error_msg = 'ty_gas_concs%get_vmr: ' // trim(gas) // ' has another shape'
      end if
    end associate
  end function get_vmr_2d

  pure integer function get_num_gases(this)
    class(ty_gas_concs), intent(in) :: this
    get_num_gases = 0
    if (allocated(this%gases)) get_num_gases = size(this%gases)
  end function get_num_gases

  pure function get_gas_names(this) result(names)
    class(ty_gas_concs), intent(in) :: this
    character(name_length) :: names(this%get_num_gases())
    integer :: i
    do i = 1, size(names)
      names(i) = this%gases(i)%name
    end do
  end function get_gas_names

  integer function find(this, gas)
    class(ty_gas_concs), intent(in) :: this
    character(*), intent(in) :: gas
    do find = this%get_num_gases(), 1, -1
      if (this%gases(find)%name == lower(gas)) exit
    end do
  end function find

  pure function lower(name)
    character(*), intent(in) :: name
    character(name_length) :: lower
    integer :: i
    lower = adjustl(name)
    do i = 1, len_trim(lower)
      if (lower(i:i) >= 'A' .and. lower(i:i) <= 'Z') lower(i:i) = achar(iachar(lower(i:i)) + 32)
    end do
  end function lower

end module mo_gas_concentrations
