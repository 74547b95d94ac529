! The cloud optics of RTE+RRTMGP's interface: `ty_cloud_optics_rrtmgp`. load_cloud_optics says of which file they are;
! `cloud_optics` hands the clouds on.
module mo_cloud_optics_rrtmgp
  use mo_rte_kind, only: wp
  use mo_optical_props, only: ty_optical_props_arry
  implicit none
  private
  public :: ty_cloud_optics_rrtmgp

  type :: ty_cloud_optics_rrtmgp
    character(:), allocatable :: file
    ! Smooth, as each load leaves it.
    integer :: roughness = 1
  contains
    procedure :: set_ice_roughness
    procedure :: get_num_ice_roughness_types
    procedure :: cloud_optics
    procedure :: finalize
  end type ty_cloud_optics_rrtmgp

contains

  ! 1 smooth, 2 medium, 3 rough ice. Behind load_cloud_optics, which sets 1.
  function set_ice_roughness(this, icergh) result(error_msg)
    class(ty_cloud_optics_rrtmgp), intent(inout) :: this
    integer, intent(in) :: icergh
    character(128) :: error_msg
    error_msg = ''
    if (icergh < 1 .or. icergh > 3) error_msg = 'set_ice_roughness: it is not 1 to 3'
    if (error_msg == '') this%roughness = icergh
  end function set_ice_roughness

  integer function get_num_ice_roughness_types(this)
    class(ty_cloud_optics_rrtmgp), intent(in) :: this
    get_num_ice_roughness_types = 3
    if (.not. allocated(this%file)) get_num_ice_roughness_types = 0
  end function get_num_ice_roughness_types

  ! Liquid and ice water path [g/m2], radius of droplets and diameter of ice [um] (columns, layers), of clouds that fill
  ! their layers.
  function cloud_optics(this, clwp, ciwp, reliq, reice, optical_props) result(error_msg)
    class(ty_cloud_optics_rrtmgp), intent(in) :: this
    real(wp), intent(in) :: clwp(:, :), ciwp(:, :), reliq(:, :), reice(:, :)
    class(ty_optical_props_arry), intent(inout) :: optical_props
    character(128) :: error_msg

    error_msg = ''
    if (.not. allocated(this%file)) error_msg = 'cloud_optics: no tables have been loaded'
    if (any(shape(clwp) /= [optical_props%get_ncol(), optical_props%get_nlay()]) .or. any(shape(ciwp) /= shape(clwp)) &
      .or. any(shape(reliq) /= shape(clwp)) .or. any(shape(reice) /= shape(clwp))) &
      error_msg = 'cloud_optics: arrays and optical properties have different shapes'
    if (error_msg /= '') return
    optical_props%lwp = clwp
    optical_props%iwp = ciwp
    optical_props%rel = reliq
    optical_props%dei = reice
    optical_props%file = this%file
    optical_props%roughness = this%roughness
    optical_props%is_scaled = .false.
  end function cloud_optics

  subroutine finalize(this)
    class(ty_cloud_optics_rrtmgp), intent(inout) :: this
    if (allocated(this%file)) deallocate (this%file)
    this%roughness = 1
  end subroutine finalize

end module mo_cloud_optics_rrtmgp
