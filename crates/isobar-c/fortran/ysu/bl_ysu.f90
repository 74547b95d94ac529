! The YSU boundary layer by Isobar: `bl_ysu_run` with the 82 arguments of the module of this name in MMM-physics, as WRF
! and MPAS call it through the CCPP; `bl_ysu.meta` beside this file describes them. Single or double precision, by the
! host's `kind_phys`.
!
! The physical constants are the host's: cp, g, rd, rv, karman and xlv are used, and the others have to follow from them
! (`errflg` 1 otherwise). Urban canopies (`flag_bep`) need all arrays that are read; without them it is an error.
! The environment variable ISOBAR_DEVICES says where columns are computed: `thread`, which is the calling thread and the
! default, `cpu` for all threads, `cuda`, ...
module bl_ysu
  use ccpp_kind_types, only: kind_phys
  use isobar, only: isobar_arrays, isobar_scheme
  use isobar_boundary_layer, only: add_air, add_results, add_surface, add_town, check_host, own_arrays, put_constants, &
    take_results
  use isobar_ccpp, only: begin_scheme, flag, text
  implicit none
  private
  public :: bl_ysu_run, bl_ysu_init, bl_ysu_finalize

  ! Made once by bl_ysu_init, or by the first bl_ysu_run; then it is only read.
  type(isobar_scheme), save :: ysu

contains

!>\section arg_table_bl_ysu_init
!!\html\include bl_ysu_init.html
!!
  subroutine bl_ysu_init(errmsg, errflg)
    character(*), intent(out) :: errmsg
    integer, intent(out) :: errflg

    call begin_scheme(ysu, 'ysu', 'bl_ysu_init', errmsg, errflg)
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
    type(own_arrays), target :: own
    character(1024) :: options

    call check_host('bl_ysu_run', cp, g, rovcp, rd, rovg, ep1, ep2, rv, karman, xlv, size(p2di, 2), kte, kme, errmsg, &
      errflg)
    if (errflg /= 0) return
    if (flag_bep) then
      call add_town('bl_ysu_run', inputs, its, ite, kte, present(ctopo), a_u, a_v, a_t, a_q, b_u, b_v, b_t, b_q, sfk, &
        vlk, frcurb, errmsg, errflg)
      if (errflg /= 0) return
    end if
    if (.not. ysu%is_created()) then
      !$omp critical (isobar_bl_ysu)
      call bl_ysu_init(errmsg, errflg)
      !$omp end critical (isobar_bl_ysu)
      if (errflg /= 0) return
    end if

    call own%make(its, ite, kte)
    call add_air(inputs, outputs, own, its, ite, kte, ux, vx, tx, qvx, qcx, qix, nmix, qmix, p2d, p2di, pi2d, f_qc, &
      f_qi, qctnp, qitnp, qmixtnp, dz8w2d)
    call add_surface(inputs, own, its, ite, psfcpa, znt, ust, psim, psih, xland, hfx, qfx, wspd, br, u10, v10, uox, &
      vox, ctopo, ctopo2)
    if (ysu_topdown_pblmix) call inputs%add('radiative_heating_k_per_s', rthraten(its:ite, :kte))
    call add_results(outputs, own, its, ite, kte, utnp, vtnp, ttnp, qvtnp, hpbl, exch_hx, exch_mx, wstar, delta, &
      dusfc, dvsfc, dtsfc, dqsfc)

    options = '{"time_step_s": ' // text(dt) // ', "top_down": ' // flag(ysu_topdown_pblmix) // ', "topographic": ' // &
      flag(present(ctopo)) // ', "urban": ' // flag(flag_bep)
    call put_constants(options, cp, g, rd, rv, karman, xlv)
    call ysu%run(inputs, outputs, trim(options) // '}', errflg, errmsg)
    if (errflg /= 0) then
      errflg = 1
      return
    end if
    call take_results(own, its, ite, kte, pi2d, ttnp, kpbl1d, u10, v10)
    errmsg = 'bl_ysu_run OK'
    errflg = 0
  end subroutine bl_ysu_run

end module bl_ysu
