! Calls sf_sfclayrev_run and bl_ysu_run by several threads at once, each time with another gravity, and compares what
! they compute with what one thread does: the same bits, and no error.
program threads
  use ccpp_kind_types, only: kind_phys
  use bl_ysu, only: bl_ysu_init, bl_ysu_run
  use sf_sfclayrev, only: sf_sfclayrev_init, sf_sfclayrev_run
  implicit none
  integer, parameter :: layers = 8, results = 20, gravities = 7, calls = 2000
  real(kind_phys), parameter :: cp = 1004.5_kind_phys, rd = 287, rv = 461.6_kind_phys
  real(kind_phys) :: one(results, gravities), many(results)
  character(512) :: errmsg
  integer :: i, errflg, failed, other

  call sf_sfclayrev_init(errmsg, errflg)
  if (errflg == 0) call bl_ysu_init(errmsg, errflg)
  do i = 1, gravities
    if (errflg == 0) call compute(i, one(:, i), errmsg, errflg)
  end do
  if (errflg /= 0) error stop trim(errmsg)
  if (.not. any(abs(one(:, 1) - one(:, 2)) > 0)) error stop 'gravity has no effect'

  failed = 0
  other = 0
  !$omp parallel do num_threads(4) schedule(dynamic) private(many, errmsg, errflg) reduction(+: failed, other)
  do i = 1, calls
    call compute(1 + mod(i, gravities), many, errmsg, errflg)
    if (errflg /= 0) then
      failed = failed + 1
    else if (any(abs(many - one(:, 1 + mod(i, gravities))) > 0)) then
      other = other + 1
    end if
  end do
  !$omp end parallel do
  if (failed + other > 0) then
    print *, 'of ', calls, ' calls failed ', failed, ', and have other numbers ', other
    error stop 1
  end if

contains

  subroutine compute(which, values, errmsg, errflg)
    integer, intent(in) :: which
    real(kind_phys), intent(out) :: values(results)
    character(*), intent(out) :: errmsg
    integer, intent(out) :: errflg
    real(kind_phys) :: g, up, s(1, 60), air(1, layers, 20), interfaces(1, layers + 1)
    real(kind_phys) :: tracers(1, layers, 0), no_tendencies(1, layers, 0)
    integer :: k, top(1)

    values = 0
    g = 9.7_kind_phys + 0.05_kind_phys * which
    s = 0
    s(1, 1:13) = [real(kind_phys) :: 5, 1, 295, 0.01, 99500, 50, 100000, 1000, 0.5, 1, 300, 0, 3000]
    ! Roughness, friction velocity, temperature scale, fluxes, vapour at the surface.
    s(1, 20:25) = [real(kind_phys) :: 0.1, 0.3, 0, 100, 5e-5, 0.012]
    call sf_sfclayrev_run(ux=s(:, 1), vx=s(:, 2), t1d=s(:, 3), qv1d=s(:, 4), p1d=s(:, 5), dz8w1d=s(:, 6), cp=cp, g=g, &
      rovcp=rd / cp, r=rd, xlv=2.5e6_kind_phys, psfcpa=s(:, 7), chs=s(:, 30), chs2=s(:, 31), cqs2=s(:, 32), &
      cpm=s(:, 33), pblh=s(:, 8), rmol=s(:, 34), znt=s(:, 20), ust=s(:, 21), mavail=s(:, 9), zol=s(:, 35), &
      mol=s(:, 22), regime=s(:, 36), psim=s(:, 37), psih=s(:, 38), fm=s(:, 39), fh=s(:, 40), xland=s(:, 10), &
      hfx=s(:, 23), qfx=s(:, 24), tsk=s(:, 11), u10=s(:, 41), v10=s(:, 42), th2=s(:, 43), t2=s(:, 44), q2=s(:, 45), &
      flhc=s(:, 46), flqc=s(:, 47), qgh=s(:, 48), qsfc=s(:, 25), lh=s(:, 49), gz1oz0=s(:, 50), wspd=s(:, 51), &
      br=s(:, 52), isfflx=.true., dx=s(:, 13), svp1=0.6112_kind_phys, svp2=17.67_kind_phys, svp3=29.65_kind_phys, &
      svpt0=273.15_kind_phys, ep1=rv / rd - 1, ep2=rd / rv, karman=0.4_kind_phys, p1000mb=1e5_kind_phys, &
      lakemask=s(:, 14), shalwater_z0=.false., water_depth=s(:, 15), its=1, ite=1, errmsg=errmsg, errflg=errflg)
    if (errflg /= 0) return
    values(:10) = [s(1, 21), s(1, 23), s(1, 24), s(1, 34), s(1, 37), s(1, 38), s(1, 41), s(1, 44), s(1, 49), s(1, 52)]

    air = 0
    do k = 1, layers
      up = (k - 0.5_kind_phys) / layers
      air(1, k, 1:3) = [5 + 10 * up, 1 - 3 * up, 295 - 30 * up]
      air(1, k, 4:5) = [0.01_kind_phys * (1 - up), 1e5_kind_phys - 3e4_kind_phys * up]
      air(1, k, 6) = (air(1, k, 5) / 1e5_kind_phys)**(rd / cp)
      air(1, k, 7) = 400
      interfaces(1, k) = 1e5_kind_phys - 3e4_kind_phys * (k - 1) / layers
    end do
    interfaces(1, layers + 1) = 7e4_kind_phys
    call bl_ysu_run(ux=air(:, :, 1), vx=air(:, :, 2), tx=air(:, :, 3), qvx=air(:, :, 4), qcx=air(:, :, 8), &
      qix=air(:, :, 8), nmix=0, qmix=tracers, p2d=air(:, :, 5), p2di=interfaces, pi2d=air(:, :, 6), f_qc=.false., &
      f_qi=.false., utnp=air(:, :, 11), vtnp=air(:, :, 12), ttnp=air(:, :, 13), qvtnp=air(:, :, 14), &
      qctnp=air(:, :, 15), qitnp=air(:, :, 16), qmixtnp=no_tendencies, cp=cp, g=g, rovcp=rd / cp, rd=rd, rovg=rd / g, &
      ep1=rv / rd - 1, ep2=rd / rv, karman=0.4_kind_phys, xlv=2.5e6_kind_phys, rv=rv, dz8w2d=air(:, :, 7), &
      psfcpa=s(:, 7), znt=s(:, 20), ust=s(:, 21), hpbl=s(:, 54), psim=s(:, 37), psih=s(:, 38), xland=s(:, 10), &
      hfx=s(:, 23), qfx=s(:, 24), wspd=s(:, 51), br=s(:, 52), dt=60.0_kind_phys, kpbl1d=top, exch_hx=air(:, :, 17), &
      exch_mx=air(:, :, 18), wstar=s(:, 55), delta=s(:, 56), u10=s(:, 41), v10=s(:, 42), rthraten=air(:, :, 9), &
      ysu_topdown_pblmix=.false., flag_bep=.false., its=1, ite=1, kte=layers, kme=layers + 1, errmsg=errmsg, &
      errflg=errflg)
    if (errflg /= 0) return
    values(11:14) = [s(1, 54), s(1, 55), s(1, 41), s(1, 42)]
    values(15:20) = [air(1, 1, 11), air(1, 2, 11), air(1, 1, 13), air(1, 2, 13), air(1, 1, 14), air(1, 2, 14)]
  end subroutine compute

end program threads
