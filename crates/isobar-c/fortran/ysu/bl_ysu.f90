! The YSU boundary layer by Isobar: `bl_ysu_run` with the 82 arguments of the module of this name in MMM-physics, as WRF
! and MPAS call it through the CCPP; `bl_ysu.meta` beside this file describes them. Single or double precision, by the
! host's `kind_phys`.
!
! The physical constants are the host's: cp, g, rd, rv, karman and xlv are used, and the others have to follow from them
! (`errflg` 1 otherwise). Urban canopies (`flag_bep`) need all arrays that are read; without them it is an error.
! The environment variable ISOBAR_DEVICES says where columns are computed: `thread`, which is the calling thread and the
! default, `cpu` for all threads, `cuda`, ...
module bl_ysu
  use, intrinsic :: iso_fortran_env, only: int32
  use ccpp_kind_types, only: kind_phys
  use isobar, only: isobar_arrays, isobar_scheme
  implicit none
  private
  public :: bl_ysu_run, bl_ysu_init, bl_ysu_finalize

  ! Made once by bl_ysu_init, or by the first bl_ysu_run; then it is only read.
  type(isobar_scheme), save :: ysu

  ! Constants that are WRF's within this relative distance are WRF's, and such ones follow from others: single precision
  ! has fewer digits.
  real(kind_phys), parameter :: same_constant = 1.0e-5_kind_phys

contains

!>\section arg_table_bl_ysu_init
!!\html\include bl_ysu_init.html
!!
  subroutine bl_ysu_init(errmsg, errflg)
    character(*), intent(out) :: errmsg
    integer, intent(out) :: errflg
    character(64) :: devices

    call get_environment_variable('ISOBAR_DEVICES', devices)
    if (devices == '') devices = 'thread'
    errmsg = 'bl_ysu_init OK'
    errflg = 0
    if (ysu%is_created()) return
    call ysu%create('ysu', kind_phys, devices=devices, stat=errflg, errmsg=errmsg)
    if (errflg /= 0) errflg = 1
  end subroutine bl_ysu_init

!>\section arg_table_bl_ysu_finalize
!!\html\include bl_ysu_finalize.html
!!
  subroutine bl_ysu_finalize(errmsg, errflg)
    character(*), intent(out) :: errmsg
    integer, intent(out) :: errflg

    call ysu%destroy()
    errmsg = 'bl_ysu_finalize OK'
    errflg = 0
  end subroutine bl_ysu_finalize

!>\section arg_table_bl_ysu_run
!!\html\include bl_ysu_run.html
!!
  subroutine bl_ysu_run &
      (ux, vx, tx, qvx, qcx, qix, nmix, qmix, p2d, p2di, pi2d, f_qc, f_qi, utnp, vtnp, ttnp, qvtnp, qctnp, qitnp, &
       qmixtnp, cp, g, rovcp, rd, rovg, ep1, ep2, karman, xlv, rv, dz8w2d, psfcpa, znt, ust, hpbl, dusfc, dvsfc, &
       dtsfc, dqsfc, psim, psih, xland, hfx, qfx, wspd, br, dt, kpbl1d, exch_hx, exch_mx, wstar, delta, u10, v10, uox, &
       vox, rthraten, ysu_topdown_pblmix, ctopo, ctopo2, a_u, a_v, a_t, a_q, a_e, b_u, b_v, b_t, b_q, b_e, sfk, vlk, &
       dlu, dlg, frcurb, flag_bep, its, ite, kte, kme, errmsg, errflg)
    integer, intent(in) :: its, ite, kte, kme, nmix
    ! Wind [m/s], temperature [K], mixing ratios [kg/kg] of layers from the surface up (its:ite, kte).
    real(kind_phys), intent(in), target :: ux(its:, :), vx(its:, :), tx(its:, :)
    real(kind_phys), intent(in), target :: qvx(its:, :), qcx(its:, :), qix(its:, :)
    ! Tracers that do not come through the surface (its:ite, kte, nmix).
    real(kind_phys), intent(in), target :: qmix(its:, :, :)
    ! Pressure of layers (its:ite, kte) and interfaces (its:ite, kte + 1) [Pa], Exner function.
    real(kind_phys), intent(in), target :: p2d(its:, :), p2di(its:, :), pi2d(its:, :)
    ! Are there cloud water and cloud ice?
    logical, intent(in) :: f_qc, f_qi
    ! Tendencies: of wind [m/s2], of temperature [K/s], of mixing ratios and tracers [1/s].
    real(kind_phys), intent(out), target :: utnp(its:, :), vtnp(its:, :), ttnp(its:, :), qvtnp(its:, :), qctnp(its:, :)
    real(kind_phys), intent(out), target :: qitnp(its:, :), qmixtnp(its:, :, :)
    ! Constants.
    real(kind_phys), intent(in) :: cp, g, rovcp, rd, rovg, ep1, ep2, karman, xlv, rv
    ! Thickness of layers [m]; pressure at the surface [Pa], roughness length [m], friction velocity [m/s].
    real(kind_phys), intent(in), target :: dz8w2d(its:, :), psfcpa(its:), znt(its:), ust(its:)
    ! Height of the boundary layer [m]; column integrals of the tendencies [N/m2, W/m2].
    real(kind_phys), intent(out), target :: hpbl(its:)
    real(kind_phys), intent(out), target, optional :: dusfc(its:), dvsfc(its:), dtsfc(its:), dqsfc(its:)
    ! ln(z/z0) less the stability correction of momentum and heat; 1 land or 2 water; upward fluxes of sensible heat
    ! [W/m2] and moisture [kg/(m2 s)]; wind of the lowest layer [m/s]; bulk Richardson number.
    real(kind_phys), intent(in), target :: psim(its:), psih(its:), xland(its:), hfx(its:), qfx(its:)
    real(kind_phys), intent(in), target :: wspd(its:), br(its:)
    ! Time step [s].
    real(kind_phys), intent(in) :: dt
    ! Layer in which the boundary layer ends, from 1.
    integer, intent(out) :: kpbl1d(its:)
    ! Diffusivities of heat and momentum at the layers' lower interfaces [m2/s].
    real(kind_phys), intent(out), target :: exch_hx(its:ite, kte), exch_mx(its:ite, kte)
    ! Convective velocity scale [m/s], depth of the entrainment zone [m].
    real(kind_phys), intent(out), target :: wstar(its:), delta(its:)
    ! Wind at 10 m [m/s], and surface current [m/s].
    real(kind_phys), intent(inout), target :: u10(its:ite), v10(its:ite)
    real(kind_phys), intent(in), target, optional :: uox(its:ite), vox(its:ite)
    ! Radiative tendency of potential temperature [K/s], read with top-down mixing.
    real(kind_phys), intent(in), target :: rthraten(its:, :)
    logical, intent(in) :: ysu_topdown_pblmix
    ! Factor of the drag over unresolved orography, weight of the 10 m wind.
    real(kind_phys), intent(in), target, optional :: ctopo(its:), ctopo2(its:)
    ! Urban canopies: rates and sources, open shares of faces and volumes, the town's share of the ground. a_e, b_e, dlu
    ! and dlg are of turbulent energy, which the scheme does not have.
    real(kind_phys), intent(in), target, optional :: a_u(its:, :), a_v(its:, :), a_t(its:, :)
    real(kind_phys), intent(in), target, optional :: a_q(its:, :), a_e(its:, :)
    real(kind_phys), intent(in), target, optional :: b_u(its:, :), b_v(its:, :), b_t(its:, :)
    real(kind_phys), intent(in), target, optional :: b_q(its:, :), b_e(its:, :)
    real(kind_phys), intent(in), target, optional :: sfk(its:, :), vlk(its:, :), dlu(its:, :)
    real(kind_phys), intent(in), target, optional :: dlg(its:, :), frcurb(its:)
    logical, intent(in) :: flag_bep
    character(*), intent(out) :: errmsg
    integer, intent(out) :: errflg

    type(isobar_arrays), target :: inputs, outputs
    real(kind_phys), target :: nothing(its:ite, kte), none(its:ite), one(its:ite), u_after(its:ite), v_after(its:ite)
    integer(int32), target :: level(its:ite)
    character(512) :: options
    character(320) :: constants
    logical :: topographic

    call check_constants(cp, g, rovcp, rd, rovg, ep1, ep2, rv, errmsg, errflg)
    if (errflg /= 0) return
    if (flag_bep) then
      if (.not. (present(a_u) .and. present(a_v) .and. present(a_t) .and. present(a_q) .and. present(b_u) .and. &
                 present(b_v) .and. present(b_t) .and. present(b_q) .and. present(sfk) .and. present(vlk) .and. &
                 (present(frcurb) .or. .not. present(ctopo)))) then
        errmsg = 'bl_ysu_run: flag_bep is true, and a_u, a_v, a_t, a_q, b_u, b_v, b_t, b_q, sfk, vlk ' // &
          'and, with ctopo, frcurb have to be there'
        errflg = 1
        return
      end if
    end if
    if (kme < kte .or. size(p2di, 2) < kte + 1) then
      errmsg = 'bl_ysu_run: p2di has to have kte + 1 interfaces, and kme is at least kte'
      errflg = 1
      return
    end if
    if (.not. ysu%is_created()) then
      !$omp critical (isobar_bl_ysu)
      call bl_ysu_init(errmsg, errflg)
      !$omp end critical (isobar_bl_ysu)
      if (errflg /= 0) return
    end if

    nothing = 0
    none = 0
    one = 1
    topographic = present(ctopo)
    call inputs%add('u_m_per_s', ux(its:ite, :kte))
    call inputs%add('v_m_per_s', vx(its:ite, :kte))
    call inputs%add('temperature_k', tx(its:ite, :kte))
    call inputs%add('vapour_kg_per_kg', qvx(its:ite, :kte))
    if (f_qc) then
      call inputs%add('cloud_water_kg_per_kg', qcx(its:ite, :kte))
      call outputs%add('cloud_water_tendency_kg_per_kg_s', qctnp(its:ite, :kte))
    else
      call inputs%add('cloud_water_kg_per_kg', nothing)
    end if
    if (f_qi) then
      call inputs%add('cloud_ice_kg_per_kg', qix(its:ite, :kte))
      call outputs%add('cloud_ice_tendency_kg_per_kg_s', qitnp(its:ite, :kte))
    else
      call inputs%add('cloud_ice_kg_per_kg', nothing)
    end if
    call inputs%add('pressure_pa', p2d(its:ite, :kte))
    call inputs%add('exner', pi2d(its:ite, :kte))
    call inputs%add('thickness_m', dz8w2d(its:ite, :kte))
    if (ysu_topdown_pblmix) call inputs%add('radiative_heating_k_per_s', rthraten(its:ite, :kte))
    call inputs%add('interface_pressure_pa', p2di(its:ite, :kte + 1))
    call inputs%add('surface_pressure_pa', psfcpa(its:ite))
    call inputs%add('roughness_m', znt(its:ite))
    call inputs%add('friction_velocity_m_per_s', ust(its:ite))
    call inputs%add('profile_momentum', psim(its:ite))
    call inputs%add('profile_heat', psih(its:ite))
    call inputs%add('land_or_water', xland(its:ite))
    call inputs%add('sensible_heat_flux_w_per_m2', hfx(its:ite))
    call inputs%add('moisture_flux_kg_per_m2_s', qfx(its:ite))
    call inputs%add('wind_speed_m_per_s', wspd(its:ite))
    call inputs%add('richardson', br(its:ite))
    call inputs%add('u_10m_m_per_s', u10)
    call inputs%add('v_10m_m_per_s', v10)
    if (present(uox) .and. present(vox)) then
      call inputs%add('u_current_m_per_s', uox)
      call inputs%add('v_current_m_per_s', vox)
    else
      call inputs%add('u_current_m_per_s', none)
      call inputs%add('v_current_m_per_s', none)
    end if
    if (topographic) then
      call inputs%add('drag_factor', ctopo(its:ite))
      if (present(ctopo2)) then
        call inputs%add('wind_weight', ctopo2(its:ite))
      else
        call inputs%add('wind_weight', one)
      end if
    end if
    if (flag_bep) then
      call inputs%add('urban_u_rate_per_s', a_u(its:ite, :kte))
      call inputs%add('urban_v_rate_per_s', a_v(its:ite, :kte))
      call inputs%add('urban_theta_rate_per_s', a_t(its:ite, :kte))
      call inputs%add('urban_vapour_rate_per_s', a_q(its:ite, :kte))
      call inputs%add('urban_u_source_m_per_s2', b_u(its:ite, :kte))
      call inputs%add('urban_v_source_m_per_s2', b_v(its:ite, :kte))
      call inputs%add('urban_theta_source_k_per_s', b_t(its:ite, :kte))
      call inputs%add('urban_vapour_source_per_s', b_q(its:ite, :kte))
      call inputs%add('urban_open_faces', sfk(its:ite, :kte))
      call inputs%add('urban_open_volume', vlk(its:ite, :kte))
      if (topographic) call inputs%add('urban_share', frcurb(its:ite))
    end if
    ! The field's dimensions are columns, tracers, layers in the order of memory: the array's first, third and second.
    if (nmix > 0) then
      call inputs%add('tracers', qmix(its:ite, :kte, :nmix), order=[1, 3, 2])
      call outputs%add('tracers_tendency_per_s', qmixtnp(its:ite, :kte, :nmix), order=[1, 3, 2])
    end if

    call outputs%add('u_tendency_m_per_s2', utnp(its:ite, :kte))
    call outputs%add('v_tendency_m_per_s2', vtnp(its:ite, :kte))
    call outputs%add('theta_tendency_k_per_s', ttnp(its:ite, :kte))
    call outputs%add('vapour_tendency_kg_per_kg_s', qvtnp(its:ite, :kte))
    call outputs%add('diffusivity_heat_m2_per_s', exch_hx)
    call outputs%add('diffusivity_momentum_m2_per_s', exch_mx)
    call outputs%add('height_m', hpbl(its:ite))
    call outputs%add('convective_velocity_m_per_s', wstar(its:ite))
    call outputs%add('entrainment_depth_m', delta(its:ite))
    call outputs%add('u_10m_m_per_s', u_after)
    call outputs%add('v_10m_m_per_s', v_after)
    if (present(dusfc)) call outputs%add('stress_u_n_per_m2', dusfc(its:ite))
    if (present(dvsfc)) call outputs%add('stress_v_n_per_m2', dvsfc(its:ite))
    if (present(dtsfc)) call outputs%add('heat_w_per_m2', dtsfc(its:ite))
    if (present(dqsfc)) call outputs%add('latent_heat_w_per_m2', dqsfc(its:ite))
    call outputs%add('level', level)

    constants = constants_of(cp, g, rd, rv, karman, xlv)
    write (options, '(a, es24.16e3, 8a)') '{"time_step_s": ', dt, ', "top_down": ', &
      trim(merge('true ', 'false', ysu_topdown_pblmix)), ', "topographic": ', &
      trim(merge('true ', 'false', topographic)), ', "urban": ', trim(merge('true ', 'false', flag_bep)), &
      trim(constants), '}'
    call ysu%run(inputs, outputs, options, errflg, errmsg)
    if (errflg /= 0) then
      errflg = 1
      return
    end if
    ! Of temperature, not of potential temperature.
    ttnp(its:ite, :kte) = ttnp(its:ite, :kte) * pi2d(its:ite, :kte)
    kpbl1d(its:ite) = level
    u10 = u_after
    v10 = v_after
    errmsg = 'bl_ysu_run OK'
    errflg = 0
  end subroutine bl_ysu_run

  ! The host's constants as an option; nothing where they are WRF's, which are the scheme's.
  function constants_of(cp, g, rd, rv, karman, xlv) result(option)
    real(kind_phys), intent(in) :: cp, g, rd, rv, karman, xlv
    character(320) :: option
    character(30), parameter :: names(6) = [character(30) :: 'heat_capacity_j_per_kg_k', 'gravity_m_per_s2', &
      'gas_constant_j_per_kg_k', 'vapour_gas_constant_j_per_kg_k', 'karman', 'latent_heat_j_per_kg']
    real(kind_phys), parameter :: of_wrf(6) = [1004.5_kind_phys, 9.81_kind_phys, 287.0_kind_phys, 461.6_kind_phys, &
      0.4_kind_phys, 2.5e6_kind_phys]
    real(kind_phys) :: given(6)
    character(26) :: number
    integer :: i

    given = [cp, g, rd, rv, karman, xlv]
    option = ''
    if (all(abs(given - of_wrf) <= same_constant * of_wrf)) return
    option = ', "constants": {'
    do i = 1, size(given)
      ! As many digits as the precision has: a constant in single precision is the one that was written.
      if (precision(given) < 10) then
        write (number, '(es16.6e3)') given(i)
      else
        write (number, '(es24.16e3)') given(i)
      end if
      if (i > 1) option = trim(option) // ','
      option = trim(option) // ' "' // trim(names(i)) // '": ' // trim(adjustl(number))
    end do
    option = trim(option) // '}'
  end function constants_of

  ! Constants that follow from others have to: they would be computed, in silence.
  subroutine check_constants(cp, g, rovcp, rd, rovg, ep1, ep2, rv, errmsg, errflg)
    real(kind_phys), intent(in) :: cp, g, rovcp, rd, rovg, ep1, ep2, rv
    character(*), intent(out) :: errmsg
    integer, intent(out) :: errflg
    character(5), parameter :: names(4) = [character(5) :: 'rovcp', 'rovg', 'ep1', 'ep2']
    character(9), parameter :: formulas(4) = [character(9) :: 'rd/cp', 'rd/g', 'rv/rd - 1', 'rd/rv']
    real(kind_phys) :: given(4), wanted(4)
    integer :: i

    given = [rovcp, rovg, ep1, ep2]
    wanted = [rd / cp, rd / g, rv / rd - 1, rd / rv]
    errmsg = ''
    errflg = 0
    do i = 1, size(given)
      if (abs(given(i) - wanted(i)) <= same_constant * abs(wanted(i))) cycle
      write (errmsg, '(3a, es16.8, 3a, es16.8)') 'bl_ysu_run: the constant ', trim(names(i)), ' is', given(i), &
        ', and ', trim(formulas(i)), ' is', wanted(i)
      errflg = 1
      return
    end do
  end subroutine check_constants

end module bl_ysu
