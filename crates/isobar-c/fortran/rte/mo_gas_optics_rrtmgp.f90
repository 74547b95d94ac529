! The k-distribution of RTE+RRTMGP's interface: `ty_gas_optics_rrtmgp`, long wave or short wave, as load_gas_optics
! reads it.
module mo_gas_optics_rrtmgp
  use, intrinsic :: ieee_arithmetic, only: ieee_is_nan
  use mo_rte_kind, only: wp
  use isobar, only: isobar_name_length, isobar_names, isobar_scheme, real64
  implicit none
  private
  public :: ty_gas_optics_rrtmgp, make_scheme

  type :: ty_gas_optics_rrtmgp
    ! For mo_rrtmgp_clr_all_sky and mo_optics_utils_rrtmgp: the scheme without clouds, its file, and what that says.
    type(isobar_scheme) :: scheme
    character(:), allocatable :: file
    character(32), allocatable :: gases(:), required(:)
    integer :: bands = 0, points = 0
    logical :: is_longwave = .false.
    ! By set_tsi [W/m2]; not there for that of the file, as each load leaves it.
    real(wp), allocatable :: irradiance
  contains
    procedure :: open
    procedure :: keep
    procedure :: is_loaded
    procedure :: finalize
    procedure :: source_is_internal
    procedure :: source_is_external
    procedure :: get_ngas
    procedure :: get_gases
    procedure :: get_nband
    procedure :: get_ngpt
    procedure :: set_tsi
  end type ty_gas_optics_rrtmgp

contains

  ! A scheme of files, the second of clouds: on the calling thread, or where the environment variable ISOBAR_DEVICES
  ! says.
  subroutine make_scheme(scheme, file, cloud_file, roughness, error_msg)
    type(isobar_scheme), intent(inout) :: scheme
    character(*), intent(in) :: file, cloud_file
    integer, intent(in) :: roughness
    character(128), intent(out) :: error_msg
    character(6), parameter :: names(3) = [character(6) :: 'smooth', 'medium', 'rough']
    character(:), allocatable :: tables
    character(512) :: message
    character(64) :: devices
    integer :: stat

    call get_environment_variable('ISOBAR_DEVICES', devices)
    if (devices == '') devices = 'thread'
    tables = '{"tables": {"k_distributions": ["' // trim(file) // '"]'
    if (cloud_file /= '') tables = tables // ', "clouds": ["' // trim(cloud_file) // '"], "roughness": "' // &
      trim(names(roughness)) // '"'
    error_msg = ''
    call scheme%create('radiation', real64, tables // '}}', devices, stat, message)
    if (stat /= 0) error_msg = message(:128)
  end subroutine make_scheme

  ! Reads the file, whose irradiance counts from then on.
  function open(this) result(error_msg)
    class(ty_gas_optics_rrtmgp), intent(inout) :: this
    character(128) :: error_msg
    character(isobar_name_length), allocatable :: names(:)
    character(:), allocatable :: facts

    if (allocated(this%irradiance)) deallocate (this%irradiance)
    call make_scheme(this%scheme, this%file, '', 1, error_msg)
    if (error_msg /= '') return
    facts = this%scheme%facts()
    ! RRTMG_LW's have optics of clouds without further tables, but not those of RTE's types.
    if (index(facts, '"clouds":true') > 0) then
      call this%scheme%destroy()
      error_msg = 'load_gas_optics: a file of RRTMG_LW is no k-distribution of RRTMGP: ' // this%file
      return
    end if
    this%is_longwave = index(facts, '"longwave":') > 0
    this%bands = number_of(facts, 'bands')
    this%points = number_of(facts, 'g_points')
    names = isobar_names(facts, 'gases')
    this%gases = names(:)(:32)
    names = isobar_names(facts, 'required_gases')
    this%required = names(:)(:32)
  end function open

  ! Of the file's gases those that the host has, which alone absorb from then on.
  function keep(this, available) result(error_msg)
    class(ty_gas_optics_rrtmgp), intent(inout) :: this
    character(*), intent(in) :: available(:)
    character(128) :: error_msg
    integer :: i

    error_msg = ''
    do i = 1, size(this%required)
      if (any(available == this%required(i))) cycle
      error_msg = 'load_gas_optics: the k-distribution needs ' // trim(this%required(i)) // &
        ', which is not among the available gases'
      return
    end do
    this%gases = pack(this%gases, [(any(available == this%gases(i)), i = 1, size(this%gases))])
  end function keep

  ! The number under a key of a JSON text.
  integer function number_of(json, key) result(number)
    character(*), intent(in) :: json, key
    integer :: at
    number = 0
    at = index(json, '"' // key // '":')
    if (at == 0) return
    at = at + len(key) + 3
    do while (json(at:at) >= '0' .and. json(at:at) <= '9')
      number = 10 * number + iachar(json(at:at)) - iachar('0')
      at = at + 1
    end do
  end function number_of

  logical function is_loaded(this)
    class(ty_gas_optics_rrtmgp), intent(in) :: this
    is_loaded = this%scheme%is_created()
  end function is_loaded

  subroutine finalize(this)
    class(ty_gas_optics_rrtmgp), intent(inout) :: this
    call this%scheme%destroy()
    if (allocated(this%irradiance)) deallocate (this%irradiance)
  end subroutine finalize

  ! Is it of the long wave?
  logical function source_is_internal(this)
    class(ty_gas_optics_rrtmgp), intent(in) :: this
    source_is_internal = this%is_longwave
  end function source_is_internal

  ! Is it of the short wave?
  logical function source_is_external(this)
    class(ty_gas_optics_rrtmgp), intent(in) :: this
    source_is_external = .not. this%is_longwave
  end function source_is_external

  pure integer function get_ngas(this)
    class(ty_gas_optics_rrtmgp), intent(in) :: this
    get_ngas = size(this%gases)
  end function get_ngas

  pure function get_gases(this)
    class(ty_gas_optics_rrtmgp), intent(in) :: this
    character(32) :: get_gases(this%get_ngas())
    get_gases = this%gases
  end function get_gases

  pure integer function get_nband(this)
    class(ty_gas_optics_rrtmgp), intent(in) :: this
    get_nband = this%bands
  end function get_nband

  pure integer function get_ngpt(this)
    class(ty_gas_optics_rrtmgp), intent(in) :: this
    get_ngpt = this%points
  end function get_ngpt

  ! The irradiance of the sun [W/m2].
  function set_tsi(this, tsi) result(error_msg)
    class(ty_gas_optics_rrtmgp), intent(inout) :: this
    real(wp), intent(in) :: tsi
    character(128) :: error_msg
    error_msg = ''
    ! Not a number is not compared: that is an invalid operation.
    if (ieee_is_nan(tsi)) then
      error_msg = 'set_tsi: the irradiance is NaN'
    else if (tsi < 0) then
      error_msg = 'set_tsi: the irradiance is negative'
    else
      this%irradiance = tsi
    end if
  end function set_tsi

end module mo_gas_optics_rrtmgp
