! Calls rte_lw or rte_sw of mo_rrtmgp_clr_all_sky as a host does, with the types of RTE+RRTMGP. Reads columns from the
! first file and writes fluxes with and without clouds to the second one; the third is the k-distribution, the fourth
! has tables of clouds, the fifth is `lw` or `sw`, and the sixth, `down`, turns the layers. The seventh is a gas that is
! not available when the k-distribution is loaded, the eighth the mole fraction of carbon monoxide.
program rte_driver
  use, intrinsic :: iso_fortran_env, only: error_unit, int32
  use mo_cloud_optics_rrtmgp, only: ty_cloud_optics_rrtmgp
  use mo_fluxes, only: ty_fluxes_broadband
  use mo_gas_concentrations, only: ty_gas_concs
  use mo_gas_optics_rrtmgp, only: ty_gas_optics_rrtmgp
  use mo_optical_props, only: ty_optical_props_1scl, ty_optical_props_2str
  use mo_optics_utils_rrtmgp, only: load_cloud_optics, load_gas_optics
  use mo_rrtmgp_clr_all_sky, only: rte_lw, rte_sw
  use mo_rte_kind, only: wp
  implicit none
  integer(int32) :: sizes(2)
  integer :: in, out, ncol, nlay
  character(512) :: argument(8)
  character(3), parameter :: names(8) = [character(3) :: 'h2o', 'o3', 'co2', 'ch4', 'n2o', 'n2', 'o2', 'co']
  type(ty_gas_optics_rrtmgp) :: k_dist
  type(ty_cloud_optics_rrtmgp) :: cloud_optics
  type(ty_gas_concs) :: gases, available
  real(wp) :: co
  type(ty_optical_props_1scl) :: absorbing
  type(ty_optical_props_2str) :: scattering
  type(ty_fluxes_broadband) :: all_sky, clear_sky
  real(wp), allocatable :: p_lay(:, :), p_lev(:, :), t_lay(:, :), t_lev(:, :), h2o(:, :), o3(:, :), clouds(:, :, :)
  real(wp), allocatable, target :: fluxes(:, :, :)
  real(wp), allocatable :: emissivity(:, :), albedo(:, :), mu0(:), t_sfc(:)
  integer :: i

  do i = 1, 8
    call get_command_argument(i, argument(i))
  end do
  co = 0
  if (argument(8) /= '') read (argument(8), *) co
  call stop_on(gases%init(names))
  call stop_on(available%init(pack(names, names /= argument(7))))
  call load_gas_optics(k_dist, trim(argument(3)), available)
  call load_cloud_optics(cloud_optics, trim(argument(4)))
  call stop_on(cloud_optics%set_ice_roughness(2))

  open (newunit=in, file=argument(1), access='stream', status='old')
  read (in) sizes
  ncol = sizes(1)
  nlay = sizes(2)
  allocate (p_lay(ncol, nlay), p_lev(ncol, nlay + 1), t_lay(ncol, nlay), t_lev(ncol, nlay + 1), h2o(ncol, nlay))
  allocate (o3(ncol, nlay), clouds(ncol, nlay, 4), fluxes(ncol, nlay + 1, 8), t_sfc(ncol), mu0(ncol))
  read (in) p_lay, p_lev, t_lay, t_lev, h2o, o3, clouds
  close (in)
  t_sfc = t_lev(:, 1)
  if (argument(6) == 'down') then
    p_lay = p_lay(:, nlay:1:-1)
    p_lev = p_lev(:, nlay + 1:1:-1)
    t_lay = t_lay(:, nlay:1:-1)
    t_lev = t_lev(:, nlay + 1:1:-1)
    h2o = h2o(:, nlay:1:-1)
    o3 = o3(:, nlay:1:-1)
    clouds = clouds(:, nlay:1:-1, :)
  end if
  call stop_on(gases%set_vmr('h2o', h2o))
  call stop_on(gases%set_vmr('O3', o3))
  call stop_on(gases%set_vmr('co2', 348.0e-6_wp))
  call stop_on(gases%set_vmr('ch4', [(1650.0e-9_wp, i=1, nlay)]))
  call stop_on(gases%set_vmr('n2o', 306.0e-9_wp))
  call stop_on(gases%set_vmr('n2', 0.7808_wp))
  call stop_on(gases%set_vmr('o2', 0.2095_wp))
  call stop_on(gases%set_vmr('co', co))
  fluxes = 0
  all_sky%flux_up => fluxes(:, :, 1)
  all_sky%flux_dn => fluxes(:, :, 2)
  all_sky%flux_net => fluxes(:, :, 3)
  clear_sky%flux_up => fluxes(:, :, 5)
  clear_sky%flux_dn => fluxes(:, :, 6)
  if (argument(5) == 'lw') then
    allocate (emissivity(k_dist%get_nband(), ncol))
    emissivity = 0.98_wp
    call stop_on(absorbing%alloc_1scl(ncol, nlay, cloud_optics))
    call stop_on(cloud_optics%cloud_optics(clouds(:, :, 1), clouds(:, :, 2), clouds(:, :, 3), clouds(:, :, 4), &
      absorbing))
    call stop_on(rte_lw(k_dist, gases, p_lay, t_lay, p_lev, t_sfc, emissivity, absorbing, all_sky, clear_sky, &
      t_lev=t_lev, n_gauss_angles=1))
  else
    allocate (albedo(k_dist%get_nband(), ncol))
    albedo = 0.06_wp
    mu0 = 0.86_wp
    all_sky%flux_dn_dir => fluxes(:, :, 4)
    clear_sky%flux_dn_dir => fluxes(:, :, 7)
    call stop_on(scattering%alloc_2str(ncol, nlay, cloud_optics))
    call stop_on(cloud_optics%cloud_optics(clouds(:, :, 1), clouds(:, :, 2), clouds(:, :, 3), clouds(:, :, 4), &
      scattering))
    call stop_on(scattering%delta_scale())
    call stop_on(rte_sw(k_dist, gases, p_lay, t_lay, p_lev, mu0, albedo, albedo, scattering, all_sky, clear_sky))
  end if
  if (any(abs(fluxes(:, :, 3) - (fluxes(:, :, 2) - fluxes(:, :, 1))) > 0)) error stop 'the net flux is not down less up'
  if (argument(6) == 'down') fluxes = fluxes(:, nlay + 1:1:-1, :)
  open (newunit=out, file=argument(2), access='stream', status='replace')
  write (out) fluxes
  close (out)

contains

  subroutine stop_on(message)
    character(*), intent(in) :: message
    if (message == '') return
    write (error_unit, '(a)') trim(message)
    error stop 1
  end subroutine stop_on

end program rte_driver
