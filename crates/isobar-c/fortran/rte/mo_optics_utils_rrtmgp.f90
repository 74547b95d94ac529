! Reading RRTMGP's files, as the examples of RTE+RRTMGP do it. A file that cannot be read ends the program.
module mo_optics_utils_rrtmgp
  use mo_cloud_optics_rrtmgp, only: ty_cloud_optics_rrtmgp
  use mo_gas_concentrations, only: ty_gas_concs
  use mo_gas_optics_rrtmgp, only: ty_gas_optics_rrtmgp
  implicit none
  private
  public :: load_gas_optics, load_cloud_optics

contains

  ! Reads a k-distribution. Its gases are those of the file that are available, as with RRTMGP.
  subroutine load_gas_optics(kdist, filename, available_gases)
    class(ty_gas_optics_rrtmgp), intent(inout) :: kdist
    character(*), intent(in) :: filename
    class(ty_gas_concs), intent(in) :: available_gases
    character(128) :: error_msg

    if (available_gases%get_num_gases() == 0) error stop 'load_gas_optics: there are no gases'
    kdist%file = trim(filename)
    error_msg = kdist%open()
    if (error_msg == '') error_msg = kdist%keep(available_gases%gases%name)
    if (error_msg /= '') error stop trim(error_msg)
  end subroutine load_gas_optics

  ! Ice is smooth from then on, until set_ice_roughness says otherwise, as RRTMGP's `load` leaves it.
  subroutine load_cloud_optics(cloud_spec, cld_coeff_file)
    class(ty_cloud_optics_rrtmgp), intent(inout) :: cloud_spec
    character(*), intent(in) :: cld_coeff_file
    logical :: is_there

    inquire (file=cld_coeff_file, exist=is_there)
    if (.not. is_there) error stop 'load_cloud_optics: there is no ' // trim(cld_coeff_file)
    call cloud_spec%finalize()
    cloud_spec%file = trim(cld_coeff_file)
  end subroutine load_cloud_optics

end module mo_optics_utils_rrtmgp
