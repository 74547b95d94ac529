! The YSU boundary layer by Isobar: `bl_ysu_run` with the 82 arguments of the module of this name in MMM-physics, as WRF
! and MPAS call it through the CCPP; `bl_ysu.meta` beside this file describes them. Single or double precision, by the
! host's `kind_phys`.
!
! What this module does not have is an error (`errflg` 1): urban canopies (`flag_bep`), and physical constants other
! than WRF's. The environment variable ISOBAR_DEVICES says where columns are computed: `thread`, which is the calling
! thread and the default, `cpu` for all threads, `cuda`, ...
module bl_ysu
  use, intrinsic :: iso_fortran_env, only: int32
  use ccpp_kind_types, only: kind_phys
  use isobar, only: isobar_arrays, isobar_scheme
  implicit none
  private
  public :: bl_ysu_run, bl_ysu_init, bl_ysu_finalize

  ! Made once by bl_ysu_init, or by the first bl_ysu_run; then it is only read.
  type(isobar_scheme), save :: ysu

  ! Constants that are WRF's within this relative distance are WRF's: single precision has fewer digits.
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
    ! Constants: checked.
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
    ! Urban canopies: read by none.
    real(kind_phys), intent(in), optional :: a_u(its:, :), a_v(its:, :), a_t(its:, :), a_q(its:, :), a_e(its:, :)
    real(kind_phys), intent(in), optional :: b_u(its:, :), b_v(its:, :), b_t(its:, :), b_q(its:, :), b_e(its:, :)
    real(kind_phys), intent(in), optional :: sfk(its:, :), vlk(its:, :), dlu(its:, :), dlg(its:, :), frcurb(its:)
    logical, intent(in) :: flag_bep
    character(*), intent(out) :: errmsg
    integer, intent(out) :: errflg

    type(isobar_arrays), target :: inputs, outputs
    real(kind_phys), target :: nothing(its:ite, kte), none(its:ite), one(its:ite), u_after(its:ite), v_after(its:ite)
    integer(int32), target :: level(its:ite)
    character(128) :: options
    logical :: topographic

    call check_constants(cp, g, rovcp, rd, rovg, ep1, ep2, karman, xlv, rv, errmsg, errflg)
    if (errflg /= 0) return
    if (flag_bep) then
      errmsg = 'bl_ysu_run: flag_bep, the multi-layer urban canopy, is not there in Isobar'
      errflg = 1
      return
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

    write (options, '(a, es24.16e3, 5a)') '{"time_step_s": ', dt, ', "top_down": ', &
      trim(merge('true ', 'false', ysu_topdown_pblmix)), ', "topographic": ', &
      trim(merge('true ', 'false', topographic)), '}'
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

  ! The constants are part of the scheme: another one would be computed with WRF's, in silence.
  subroutine check_constants(cp, g, rovcp, rd, rovg, ep1, ep2, karman, xlv, rv, errmsg, errflg)
    real(kind_phys), intent(in) :: cp, g, rovcp, rd, rovg, ep1, ep2, karman, xlv, rv
    character(*), intent(out) :: errmsg
    integer, intent(out) :: errflg
    character(6), parameter :: names(10) = [character(6) :: 'cp', 'g', 'rovcp', 'rd', 'rovg', 'ep1', 'ep2', 'karman', &
      'xlv', 'rv']
    real(kind_phys), parameter :: rd_0 = 287, rv_0 = 461.6_kind_phys, g_0 = 9.81_kind_phys, cp_0 = 1004.5_kind_phys
    real(kind_phys) :: given(10), wanted(10)
    integer :: i

    given = [cp, g, rovcp, rd, rovg, ep1, ep2, karman, xlv, rv]
    wanted = [cp_0, g_0, rd_0 / cp_0, rd_0, rd_0 / g_0, rv_0 / rd_0 - 1, rd_0 / rv_0, 0.4_kind_phys, &
      2.5e6_kind_phys, rv_0]
    errmsg = ''
    errflg = 0
    do i = 1, size(given)
      if (abs(given(i) - wanted(i)) <= same_constant * wanted(i)) cycle
      write (errmsg, '(3a, es16.8, a, es16.8)') 'bl_ysu_run: the constant ', trim(names(i)), ' is', given(i), &
        ', and the scheme has WRF''s', wanted(i)
      errflg = 1
      return
    end do
  end subroutine check_constants

end module bl_ysu
