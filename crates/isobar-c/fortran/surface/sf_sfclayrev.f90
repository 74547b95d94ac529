! The revised MM5 surface layer by Isobar: `sf_sfclayrev_run` with the arguments of the module of this name in
! MMM-physics, as WRF and MPAS call it through the CCPP; `sf_sfclayrev.meta` beside this file describes them. Single or
! double precision, by the host's `kind_phys`; the host's physical constants, whatever they are.
!
! Hosts whose version has no drag of unresolved orography leave out `varf`, `if_kim_tofd` and `tofd_factor`, by calls
! with keywords. What the original does not set, it does not set either: without fluxes `chs`, `chs2`, `cqs2` and `lh`,
! with given ones `lh`. The environment variable ISOBAR_DEVICES says where columns are computed: `thread`, which is the
! calling thread and the default, `cpu` for all threads, `cuda`, ...
module sf_sfclayrev
  use, intrinsic :: iso_fortran_env, only: int32
  use ccpp_kind_types, only: kind_phys
  use isobar, only: isobar_arrays, isobar_scheme
  use isobar_ccpp, only: begin_scheme, check_constants, check_ratio, flag, put_number, text
  implicit none
  private
  public :: sf_sfclayrev_run, sf_sfclayrev_init, sf_sfclayrev_finalize

  ! Made once by sf_sfclayrev_init, or by the first sf_sfclayrev_run; then it is only read.
  type(isobar_scheme), save :: surface

  ! The results, in the order in which they are copied to the arguments.
  character(36), parameter :: results(33) = [character(36) :: &
    'roughness_m', 'friction_velocity_m_per_s', 'friction_velocity_of_wind_m_per_s', 'stability', &
    'temperature_scale_k', 'inverse_obukhov_length_per_m', 'sensible_heat_flux_w_per_m2', &
    'moisture_flux_kg_per_m2_s', 'latent_heat_flux_w_per_m2', 'surface_vapour_kg_per_kg', 'saturation_kg_per_kg', &
    'logarithm', 'wind_speed_m_per_s', 'richardson', 'correction_momentum', 'correction_heat', 'profile_momentum', &
    'profile_heat', 'heat_capacity_j_per_kg_k', 'exchange_m_per_s', 'exchange_heat_2m_m_per_s', &
    'exchange_moisture_2m_m_per_s', 'exchange_heat_w_per_m2_k', 'exchange_moisture_kg_per_m2_s', 'u_10m_m_per_s', &
    'v_10m_m_per_s', 'theta_2m_k', 'temperature_2m_k', 'vapour_2m_kg_per_kg', 'enthalpy_coefficient_10m', &
    'enthalpy_coefficient', 'drag_coefficient_10m', 'drag_coefficient']

contains

!>\section arg_table_sf_sfclayrev_init
!!\html\include sf_sfclayrev_init.html
!!
  subroutine sf_sfclayrev_init(errmsg, errflg)
    character(*), intent(out) :: errmsg
    integer, intent(out) :: errflg

    call begin_scheme(surface, 'surface', 'sf_sfclayrev_init', errmsg, errflg)
  end subroutine sf_sfclayrev_init

!>\section arg_table_sf_sfclayrev_finalize
!!\html\include sf_sfclayrev_finalize.html
!!
  subroutine sf_sfclayrev_finalize(errmsg, errflg)
    character(*), intent(out) :: errmsg
    integer, intent(out) :: errflg

    call surface%destroy()
    errmsg = 'sf_sfclayrev_finalize OK'
    errflg = 0
  end subroutine sf_sfclayrev_finalize

!>\section arg_table_sf_sfclayrev_run
!!\html\include sf_sfclayrev_run.html
!!
  subroutine sf_sfclayrev_run &
      (ux, vx, t1d, qv1d, p1d, dz8w1d, cp, g, rovcp, r, xlv, psfcpa, chs, chs2, cqs2, cpm, pblh, rmol, znt, ust, &
       mavail, zol, mol, regime, psim, psih, fm, fh, xland, hfx, qfx, tsk, varf, if_kim_tofd, tofd_factor, u10, v10, &
       th2, t2, q2, flhc, flqc, qgh, qsfc, lh, gz1oz0, wspd, br, isfflx, dx, svp1, svp2, svp3, svpt0, ep1, ep2, &
       karman, p1000mb, lakemask, shalwater_z0, water_depth, isftcflx, iz0tlnd, scm_force_flux, ustm, ck, cka, cd, &
       cda, its, ite, errmsg, errflg)
    integer, intent(in) :: its, ite
    ! Wind [m/s], temperature [K], mixing ratio [kg/kg], pressure [Pa], thickness [m] of the lowest layer.
    real(kind_phys), intent(in), target :: ux(its:), vx(its:), t1d(its:), qv1d(its:), p1d(its:), dz8w1d(its:)
    ! Constants.
    real(kind_phys), intent(in) :: cp, g, rovcp, r, xlv, svp1, svp2, svp3, svpt0, ep1, ep2, karman, p1000mb
    ! Pressure at the surface [Pa], height of the boundary layer [m], part of potential evaporation; 1 land or 2 water;
    ! temperature of the surface [K]; grid [m]; 1 lakes or 0; depth of water [m].
    real(kind_phys), intent(in), target :: psfcpa(its:), pblh(its:), mavail(its:), xland(its:), tsk(its:), dx(its:)
    real(kind_phys), intent(in), target :: lakemask(its:), water_depth(its:)
    ! Deviation of unresolved heights [m], whether it counts, and the factor of its height.
    real(kind_phys), intent(in), target, optional :: varf(its:)
    logical, intent(in), optional :: if_kim_tofd
    real(kind_phys), intent(in), optional :: tofd_factor
    ! Fluxes or none; depth of water counts; roughness of water and land; fluxes are given.
    logical, intent(in) :: isfflx, shalwater_z0
    integer, intent(in), optional :: isftcflx, iz0tlnd
    logical, intent(in), optional :: scm_force_flux
    ! What goes on from step to step.
    real(kind_phys), intent(inout), target :: znt(its:), ust(its:), mol(its:), hfx(its:), qfx(its:), qsfc(its:)
    real(kind_phys), intent(inout), target, optional :: ustm(its:)
    ! Results.
    real(kind_phys), intent(inout) :: regime(its:), zol(its:), rmol(its:), gz1oz0(its:), wspd(its:), br(its:)
    real(kind_phys), intent(inout) :: psim(its:), psih(its:), fm(its:), fh(its:), cpm(its:), chs(its:), chs2(its:)
    real(kind_phys), intent(inout) :: cqs2(its:), flhc(its:), flqc(its:), qgh(its:)
    real(kind_phys), intent(inout) :: lh(its:), u10(its:), v10(its:), th2(its:), t2(its:), q2(its:)
    real(kind_phys), intent(inout), optional :: ck(its:), cka(its:), cd(its:), cda(its:)
    character(*), intent(out) :: errmsg
    integer, intent(out) :: errflg

    type(isobar_arrays), target :: inputs, outputs
    real(kind_phys), target :: after(its:ite, size(results))
    integer(int32), target :: class(its:ite)
    character(1024) :: options
    character(10) :: fluxes
    logical :: hills, given
    integer :: n

    call check_host(cp, g, rovcp, r, xlv, svp1, svp2, svp3, svpt0, ep1, ep2, karman, p1000mb, errmsg, errflg)
    if (errflg /= 0) return
    hills = .false.
    if (present(if_kim_tofd)) hills = if_kim_tofd
    if (hills .and. .not. (present(varf) .and. present(tofd_factor))) then
      errmsg = 'sf_sfclayrev_run: if_kim_tofd needs varf and tofd_factor'
      errflg = 1
      return
    end if
    given = .false.
    if (present(scm_force_flux)) given = scm_force_flux
    if (given .and. .not. isfflx) then
      errmsg = 'sf_sfclayrev_run: scm_force_flux gives fluxes, and isfflx has none'
      errflg = 1
      return
    end if
    fluxes = 'computed'
    if (given) fluxes = 'given'
    if (.not. isfflx) fluxes = 'zero'
    if (.not. surface%is_created()) then
      !$omp critical (isobar_sf_sfclayrev)
      call sf_sfclayrev_init(errmsg, errflg)
      !$omp end critical (isobar_sf_sfclayrev)
      if (errflg /= 0) return
    end if

    call inputs%add('u_m_per_s', ux(its:ite))
    call inputs%add('v_m_per_s', vx(its:ite))
    call inputs%add('temperature_k', t1d(its:ite))
    call inputs%add('vapour_kg_per_kg', qv1d(its:ite))
    call inputs%add('pressure_pa', p1d(its:ite))
    call inputs%add('thickness_m', dz8w1d(its:ite))
    call inputs%add('surface_pressure_pa', psfcpa(its:ite))
    call inputs%add('boundary_layer_height_m', pblh(its:ite))
    call inputs%add('moisture_availability', mavail(its:ite))
    call inputs%add('land_or_water', xland(its:ite))
    call inputs%add('surface_temperature_k', tsk(its:ite))
    call inputs%add('grid_length_m', dx(its:ite))
    call inputs%add('lake', lakemask(its:ite))
    if (shalwater_z0) call inputs%add('water_depth_m', water_depth(its:ite))
    if (hills) call inputs%add('orography_deviation_m', varf(its:ite))
    call inputs%add('roughness_m', znt(its:ite))
    call inputs%add('friction_velocity_m_per_s', ust(its:ite))
    if (present(ustm)) call inputs%add('friction_velocity_of_wind_m_per_s', ustm(its:ite))
    call inputs%add('temperature_scale_k', mol(its:ite))
    call inputs%add('sensible_heat_flux_w_per_m2', hfx(its:ite))
    call inputs%add('moisture_flux_kg_per_m2_s', qfx(its:ite))
    call inputs%add('surface_vapour_kg_per_kg', qsfc(its:ite))
    do n = 1, size(results)
      call outputs%add(trim(results(n)), after(:, n))
    end do
    call outputs%add('regime', class)

    options = '{"fluxes": "' // trim(fluxes) // '", "water_roughness": "' // trim(of_water(isftcflx)) // &
      '", "land_roughness": "' // trim(of_land(iz0tlnd)) // '", "shallow_water": ' // flag(shalwater_z0) // &
      ', "form_drag": ' // flag(hills)
    if (hills) call put_number(options, 'form_drag_factor', tofd_factor)
    options = trim(options) // ', "constants": {"cp": ' // text(cp)
    call put_number(options, 'g', g)
    call put_number(options, 'rd', r)
    call put_number(options, 'rv', r * (1 + ep1))
    call put_number(options, 'karman', karman)
    call put_number(options, 'xlv', xlv)
    call put_number(options, 'svp1', svp1)
    call put_number(options, 'svp2', svp2)
    call put_number(options, 'svp3', svp3)
    call put_number(options, 'svpt0', svpt0)
    call put_number(options, 'p1000mb', p1000mb)
    call surface%run(inputs, outputs, trim(options) // '}}', errflg, errmsg)
    if (errflg /= 0) then
      errflg = 1
      return
    end if

    znt(its:ite) = after(:, 1)
    ust(its:ite) = after(:, 2)
    if (present(ustm)) ustm(its:ite) = after(:, 3)
    zol(its:ite) = after(:, 4)
    mol(its:ite) = after(:, 5)
    rmol(its:ite) = after(:, 6)
    hfx(its:ite) = after(:, 7)
    qfx(its:ite) = after(:, 8)
    if (fluxes == 'computed') lh(its:ite) = after(:, 9)
    qsfc(its:ite) = after(:, 10)
    qgh(its:ite) = after(:, 11)
    gz1oz0(its:ite) = after(:, 12)
    wspd(its:ite) = after(:, 13)
    br(its:ite) = after(:, 14)
    psim(its:ite) = after(:, 15)
    psih(its:ite) = after(:, 16)
    fm(its:ite) = after(:, 17)
    fh(its:ite) = after(:, 18)
    cpm(its:ite) = after(:, 19)
    if (isfflx) then
      chs(its:ite) = after(:, 20)
      chs2(its:ite) = after(:, 21)
      cqs2(its:ite) = after(:, 22)
    end if
    flhc(its:ite) = after(:, 23)
    flqc(its:ite) = after(:, 24)
    u10(its:ite) = after(:, 25)
    v10(its:ite) = after(:, 26)
    th2(its:ite) = after(:, 27)
    t2(its:ite) = after(:, 28)
    q2(its:ite) = after(:, 29)
    if (present(ck)) ck(its:ite) = after(:, 30)
    if (present(cka)) cka(its:ite) = after(:, 31)
    if (present(cd)) cd(its:ite) = after(:, 32)
    if (present(cda)) cda(its:ite) = after(:, 33)
    regime(its:ite) = class
    errmsg = 'sf_sfclayrev_run OK'
    errflg = 0
  end subroutine sf_sfclayrev_run

  ! What follows from other constants is computed: one that does not follow would be left out in silence.
  subroutine check_host(cp, g, rovcp, r, xlv, svp1, svp2, svp3, svpt0, ep1, ep2, karman, p1000mb, errmsg, errflg)
    real(kind_phys), intent(in) :: cp, g, rovcp, r, xlv, svp1, svp2, svp3, svpt0, ep1, ep2, karman, p1000mb
    character(*), intent(out) :: errmsg
    integer, intent(out) :: errflg

    call check_constants('sf_sfclayrev_run', [character(7) :: 'cp', 'g', 'r', 'xlv', 'svp1', 'svp2', 'svp3', 'svpt0', &
      '1 + ep1', 'karman', 'p1000mb'], [cp, g, r, xlv, svp1, svp2, svp3, svpt0, 1 + ep1, karman, p1000mb], errmsg, &
      errflg)
    if (errflg == 0) call check_ratio('sf_sfclayrev_run', 'rovcp', rovcp, 'r/cp', r / cp, errmsg, errflg)
    if (errflg == 0) call check_ratio('sf_sfclayrev_run', 'ep2', ep2, '1/(1 + ep1)', 1 / (1 + ep1), errmsg, errflg)
  end subroutine check_host

  ! The names of the roughness of water and land; a number that has none is refused by the library.
  function of_water(isftcflx) result(name)
    integer, intent(in), optional :: isftcflx
    character(14) :: name
    name = 'coare'
    if (.not. present(isftcflx)) return
    select case (isftcflx)
    case (0)
    case (1)
      name = 'constant'
    case (2)
      name = 'garratt'
    case default
      write (name, '(a, i0)') 'no ', isftcflx
    end select
  end function of_water

  function of_land(iz0tlnd) result(name)
    integer, intent(in), optional :: iz0tlnd
    character(14) :: name
    name = 'momentum'
    if (.not. present(iz0tlnd)) return
    select case (iz0tlnd)
    case (0)
    case (1)
      name = 'chen_zhang'
    case (2)
      name = 'zilitinkevich'
    case default
      write (name, '(a, i0)') 'no ', iz0tlnd
    end select
  end function of_land

end module sf_sfclayrev
