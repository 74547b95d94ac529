! Calls bl_ysu_run, of whatever module that is linked, as a host does: on arrays that are wider than the columns, with
! columns that do not begin at 1. Reads a case from the first file, and writes the results, all numbers of double
! precision, to the second one.
program ysu_driver
  use, intrinsic :: iso_fortran_env, only: error_unit, int32, real64
  use ccpp_kind_types, only: kind_phys
  use bl_ysu, only: bl_ysu_init, bl_ysu_run
  implicit none
  integer, parameter :: first = 3
  integer(int32) :: columns, layers, tracers, top_down, topographic, repeats
  integer :: last, unit, errflg, n, t
  real(real64) :: dt, started, ended
  character(512) :: path, errmsg
  real(kind_phys), allocatable :: inputs(:, :, :), p_int(:, :), surface(:, :), qmix(:, :, :)
  real(kind_phys), allocatable :: tendencies(:, :, :), qmix_tendencies(:, :, :), exchange(:, :, :), values(:, :)
  integer, allocatable :: kpbl(:)
  real(kind_phys), parameter :: cp = 1004.5_kind_phys, g = 9.81_kind_phys, rd = 287, rv = 461.6_kind_phys

  call get_command_argument(1, path)
  open (newunit=unit, file=path, access='stream', status='old')
  read (unit) columns, layers, tracers, top_down, topographic, repeats, dt
  last = first + columns - 1
  ! One column and one layer more than there are.
  allocate (inputs(first:last + 1, layers + 1, 10), p_int(first:last + 1, layers + 2), surface(first:last + 1, 16))
  allocate (tendencies(first:last + 1, layers + 1, 6), exchange(first:last, layers, 2), values(first:last + 1, 7))
  allocate (kpbl(first:last + 1), qmix(first:last + 1, layers + 1, max(tracers, 1)))
  allocate (qmix_tendencies, mold=qmix)
  inputs = -1
  p_int = -1
  surface = -1
  qmix = -1
  tendencies = -7
  qmix_tendencies = -7
  do n = 1, 10
    call get(inputs(first:last, :layers, n))
  end do
  call get(p_int(first:last, :layers + 1))
  do n = 1, 16
    call get(surface(first:last, n:n))
  end do
  do n = 1, tracers
    call get(qmix(first:last, :layers, n))
  end do
  close (unit)

  call bl_ysu_init(errmsg, errflg)
  if (errflg /= 0) call fail()
  call cpu_time(started)
  do t = 1, repeats
    if (topographic /= 0) then
      call run(surface(:, 15), surface(:, 16))
    else
      call run()
    end if
    if (errflg /= 0) call fail()
  end do
  call cpu_time(ended)
  if (repeats > 1) write (*, '(a, es12.4, a)') 'time of a call: ', (ended - started) / repeats, ' s'
  if (any(abs(tendencies(last + 1, :, :) + 7) > 0) .or. any(abs(tendencies(:, layers + 1, :) + 7) > 0)) &
    error stop 'what is not of these columns and layers was written'

  call get_command_argument(2, path)
  open (newunit=unit, file=path, access='stream', status='replace')
  do n = 1, 6
    write (unit) real(tendencies(first:last, :layers, n), real64)
  end do
  write (unit) real(exchange, real64)
  write (unit) real(values(first:last, :3), real64), real(kpbl(first:last), real64)
  write (unit) real(surface(first:last, 11:12), real64), real(values(first:last, 4:), real64)
  do n = 1, tracers
    write (unit) real(qmix_tendencies(first:last, :layers, n), real64)
  end do
  close (unit)

contains

  subroutine run(ctopo, ctopo2)
    real(kind_phys), intent(in), optional :: ctopo(first:), ctopo2(first:)
    associate (u => inputs(:, :, 1), v => inputs(:, :, 2), t => inputs(:, :, 3), qv => inputs(:, :, 4), &
      qc => inputs(:, :, 5), qi => inputs(:, :, 6), p => inputs(:, :, 7), exner => inputs(:, :, 8), &
      dz => inputs(:, :, 9), rthraten => inputs(:, :, 10))
      call bl_ysu_run(ux=u, vx=v, tx=t, qvx=qv, qcx=qc, qix=qi, nmix=int(tracers), qmix=qmix, p2d=p, p2di=p_int, &
        pi2d=exner, f_qc=.true., f_qi=.true., utnp=tendencies(:, :, 1), vtnp=tendencies(:, :, 2), &
        ttnp=tendencies(:, :, 3), qvtnp=tendencies(:, :, 4), qctnp=tendencies(:, :, 5), qitnp=tendencies(:, :, 6), &
        qmixtnp=qmix_tendencies, cp=cp, g=g, rovcp=rd / cp, rd=rd, rovg=rd / g, ep1=rv / rd - 1, ep2=rd / rv, &
        karman=0.4_kind_phys, xlv=2.5e6_kind_phys, rv=rv, dz8w2d=dz, psfcpa=surface(:, 1), znt=surface(:, 2), &
        ust=surface(:, 3), hpbl=values(:, 1), dusfc=values(:, 4), dvsfc=values(:, 5), dtsfc=values(:, 6), &
        dqsfc=values(:, 7), psim=surface(:, 4), psih=surface(:, 5), xland=surface(:, 6), hfx=surface(:, 7), &
        qfx=surface(:, 8), wspd=surface(:, 9), br=surface(:, 10), dt=real(dt, kind_phys), kpbl1d=kpbl, &
        exch_hx=exchange(:, :, 1), exch_mx=exchange(:, :, 2), wstar=values(:, 2), delta=values(:, 3), &
        u10=surface(first:last, 11), v10=surface(first:last, 12), uox=surface(first:last, 13), &
        vox=surface(first:last, 14), rthraten=rthraten, ysu_topdown_pblmix=top_down /= 0, ctopo=ctopo, ctopo2=ctopo2, &
        flag_bep=.false., its=first, ite=last, kte=int(layers), kme=int(layers) + 1, errmsg=errmsg, errflg=errflg)
    end associate
  end subroutine run

  subroutine get(field)
    real(kind_phys), intent(out) :: field(:, :)
    real(real64), allocatable :: numbers(:, :)
    allocate (numbers(size(field, 1), size(field, 2)))
    read (unit) numbers
    field = real(numbers, kind_phys)
  end subroutine get

  subroutine fail()
    write (error_unit, '(a)') trim(errmsg)
    stop 3
  end subroutine fail

end program ysu_driver
