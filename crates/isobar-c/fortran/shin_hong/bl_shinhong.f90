! The Shin-Hong boundary layer by Isobar: `bl_shinhong_run` with the 88 arguments of the module of this name in
! MMM-physics; `bl_shinhong.meta` beside this file describes them. Single or double precision, by the host's
! `kind_phys`.
!
! The physical constants are the host's: cp, g, rd, rv, karman and xlv are used, and the others have to follow from them
! (`errflg` 1 otherwise). Urban canopies are an error (`flag_bep`). The environment variable ISOBAR_DEVICES says where
! columns are computed: `thread`, which is the calling thread and the default, `cpu` for all threads, `cuda`, ...
module bl_shinhong
  use ccpp_kind_types, only: kind_phys
  use isobar, only: isobar_arrays, isobar_scheme
  use isobar_boundary_layer, only: add_air, add_results, add_surface, check_host, own_arrays, put_constants, &
    take_results
  use isobar_ccpp, only: begin_scheme, flag, text
  implicit none
  private
  public :: bl_shinhong_run, bl_shinhong_init, bl_shinhong_finalize

  ! Made once by bl_shinhong_init, or by the first bl_shinhong_run; then it is only read.
  type(isobar_scheme), save :: shin_hong

contains

!>\section arg_table_bl_shinhong_init
!!\html\include bl_shinhong_init.html
!!
  subroutine bl_shinhong_init(errmsg, errflg)
    character(*), intent(out) :: errmsg
    integer, intent(out) :: errflg

    call begin_scheme(shin_hong, 'shin_hong', 'bl_shinhong_init', errmsg, errflg)
  end subroutine bl_shinhong_init

!>\section arg_table_bl_shinhong_finalize
!!\html\include bl_shinhong_finalize.html
!!
  subroutine bl_shinhong_finalize(errmsg, errflg)
    character(*), intent(out) :: errmsg
    integer, intent(out) :: errflg

    call shin_hong%destroy()
    errmsg = 'bl_shinhong_finalize OK'
    errflg = 0
  end subroutine bl_shinhong_finalize

!>\section arg_table_bl_shinhong_run
!!\html\include bl_shinhong_run.html
!!
  subroutine bl_shinhong_run &
      (ux, vx, tx, qvx, qcx, qix, nmix, qmix, p2d, p2di, pi2d, f_qc, f_qi, utnp, vtnp, ttnp, qvtnp, qctnp, qitnp, &
       qmixtnp, cp, g, rovcp, rd, rovg, ep1, ep2, karman, xlv, rv, dz8w2d, psfcpa, znt, ust, hpbl, dusfc, dvsfc, &
       dtsfc, dqsfc, psim, psih, xland, hfx, qfx, wspd, br, dt, kpbl1d, exch_hx, exch_mx, wstar, delta, &
       if_shinhong_nonlocal_flux, tke, el_pbl, corf, u10, v10, uox, vox, rthraten, if_scu_mixing, &
       if_dissipative_heating, ctopo, ctopo2, dxmeter, a_u, a_v, a_t, a_q, a_e, b_u, b_v, b_t, b_q, b_e, sfk, vlk, &
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
    real(kind_phys), intent(in), target :: dz8w2d(its:, :), psfcpa(its:)
    real(kind_phys), intent(inout), target :: znt(its:), ust(its:)
    ! Height of the boundary layer [m]; column integrals of the tendencies [N/m2, W/m2].
    real(kind_phys), intent(inout), target :: hpbl(its:)
    real(kind_phys), intent(out), target, optional :: dusfc(its:), dvsfc(its:), dtsfc(its:), dqsfc(its:)
    ! ln(z/z0) less the stability correction of momentum and heat; 1 land or 2 water; upward fluxes of sensible heat
    ! [W/m2] and moisture [kg/(m2 s)]; wind of the lowest layer [m/s]; bulk Richardson number.
    real(kind_phys), intent(in), target :: psim(its:), psih(its:), xland(its:), hfx(its:), qfx(its:)
    real(kind_phys), intent(inout), target :: wspd(its:)
    real(kind_phys), intent(in), target :: br(its:)
    ! Time step [s].
    real(kind_phys), intent(in) :: dt
    ! Layer in which the boundary layer ends, from 1.
    integer, intent(out) :: kpbl1d(its:)
    ! Diffusivities of heat and momentum at the layers' lower interfaces [m2/s].
    real(kind_phys), intent(inout), target :: exch_hx(its:, :), exch_mx(its:, :)
    ! Convective velocity scale [m/s], depth of the entrainment zone [m].
    real(kind_phys), intent(out), target :: wstar(its:), delta(its:)
    ! Have thermals the nonlocal heat flux of large-eddy simulations? Otherwise they have YSU's.
    logical, intent(in) :: if_shinhong_nonlocal_flux
    ! Turbulent kinetic energy at the layers' lower interfaces [m2/s2], of the last step and of this one; its mixing
    ! length [m]; Coriolis parameter [1/s].
    real(kind_phys), intent(inout), target :: tke(its:, :), el_pbl(its:, :)
    real(kind_phys), intent(in), target :: corf(its:)
    ! Wind at 10 m [m/s], and surface current [m/s].
    real(kind_phys), intent(inout), target :: u10(its:), v10(its:)
    real(kind_phys), intent(in), target, optional :: uox(its:ite), vox(its:ite)
    ! Radiative tendency of potential temperature [K/s], read where cloud tops mix air; energy of the wind becomes heat.
    real(kind_phys), intent(in), target :: rthraten(its:, :)
    logical, intent(in) :: if_scu_mixing, if_dissipative_heating
    ! Factor of the drag over unresolved orography, weight of the 10 m wind.
    real(kind_phys), intent(in), target, optional :: ctopo(its:), ctopo2(its:)
    ! Distance of the grid's points [m].
    real(kind_phys), intent(in), target :: dxmeter(its:)
    ! Urban canopies, which are not read.
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
    type(own_arrays), target :: own
    real(kind_phys), target :: energy(its:ite, kte)
    character(1024) :: options

    call check_host('bl_shinhong_run', cp, g, rovcp, rd, rovg, ep1, ep2, rv, karman, xlv, size(p2di, 2), kte, kme, &
      errmsg, errflg)
    if (errflg /= 0) return
    if (flag_bep) then
      errmsg = 'bl_shinhong_run: flag_bep is true, and urban canopies are of bl_ysu_run alone'
      errflg = 1
      return
    end if
    if (.not. shin_hong%is_created()) then
      !$omp critical (isobar_bl_shinhong)
      call bl_shinhong_init(errmsg, errflg)
      !$omp end critical (isobar_bl_shinhong)
      if (errflg /= 0) return
    end if

    ! As the original: tendencies of what is not there, and of layers above the columns, are 0.
    utnp(its:ite, :) = 0
    vtnp(its:ite, :) = 0
    ttnp(its:ite, :) = 0
    qvtnp(its:ite, :) = 0
    qctnp(its:ite, :) = 0
    qitnp(its:ite, :) = 0
    qmixtnp(its:ite, :, :) = 0
    call own%make(its, ite, kte)
    call add_air(inputs, outputs, own, its, ite, kte, ux, vx, tx, qvx, qcx, qix, nmix, qmix, p2d, p2di, pi2d, f_qc, &
      f_qi, qctnp, qitnp, qmixtnp, dz8w2d)
    call add_surface(inputs, own, its, ite, psfcpa, znt, ust, psim, psih, xland, hfx, qfx, wspd, br, u10, v10, uox, &
      vox, ctopo, ctopo2)
    if (if_scu_mixing) call inputs%add('radiative_heating_k_per_s', rthraten(its:ite, :kte))
    call inputs%add('turbulent_energy_m2_per_s2', tke(its:ite, :kte))
    call inputs%add('grid_distance_m', dxmeter(its:ite))
    call inputs%add('coriolis_per_s', corf(its:ite))
    call add_results(outputs, own, its, ite, kte, utnp, vtnp, ttnp, qvtnp, hpbl, exch_hx, exch_mx, wstar, delta, &
      dusfc, dvsfc, dtsfc, dqsfc)
    call outputs%add('turbulent_energy_m2_per_s2', energy)
    call outputs%add('mixing_length_m', el_pbl(its:ite, :kte))

    options = '{"time_step_s": ' // text(dt) // ', "nonlocal_flux": ' // flag(if_shinhong_nonlocal_flux) // &
      ', "cloud_mixing": ' // flag(if_scu_mixing) // ', "dissipative_heating": ' // flag(if_dissipative_heating) // &
      ', "topographic": ' // flag(present(ctopo))
    call put_constants(options, cp, g, rd, rv, karman, xlv)
    call shin_hong%run(inputs, outputs, trim(options) // '}', errflg, errmsg)
    if (errflg /= 0) then
      errflg = 1
      return
    end if
    call take_results(own, its, ite, kte, pi2d, ttnp, kpbl1d, u10, v10)
    tke(its:ite, :kte) = energy
    errmsg = 'bl_shinhong_run OK'
    errflg = 0
  end subroutine bl_shinhong_run

end module bl_shinhong
