! Calls bl_shinhong_run, of whatever module that is linked, as a host does: on arrays that are wider than the columns,
! with columns that do not begin at 1. Reads a case from the first file, and writes the results, all numbers of double
! precision, to the second one.
program shin_hong_driver
  use, intrinsic :: iso_fortran_env, only: error_unit, int32, real64
  use ccpp_kind_types, only: kind_phys
  use bl_shinhong, only: bl_shinhong_finalize, bl_shinhong_init, bl_shinhong_run
  implicit none
  integer, parameter :: first = 3
  ! Nonlocal flux, mixing by cloud tops, heat of dissipation, orography, clouds.
  integer(int32) :: columns, layers, tracers, flags(5)
  integer :: last, unit, errflg, n
  real(real64) :: dt, gravity
  character(512) :: path, errmsg
  real(kind_phys), allocatable :: inputs(:, :, :), p_int(:, :), surface(:, :), qmix(:, :, :)
  real(kind_phys), allocatable :: tendencies(:, :, :), qmix_tendencies(:, :, :), exchange(:, :, :), values(:, :)
  integer, allocatable :: kpbl(:)
  real(kind_phys), parameter :: cp = 1004.5_kind_phys, rd = 287, rv = 461.6_kind_phys
  real(kind_phys) :: g

  call get_command_argument(1, path)
  open (newunit=unit, file=path, access='stream', status='old')
  read (unit) columns, layers, tracers, flags, dt, gravity
  g = real(gravity, kind_phys)
  last = first + columns - 1
  ! One column and one layer more than there are; turbulent energy is the 11th field, its length the 12th.
  allocate (inputs(first:last + 1, layers + 1, 12), p_int(first:last + 1, layers + 2), surface(first:last + 1, 18))
  allocate (tendencies(first:last + 1, layers + 1, 6), exchange(first:last + 1, layers + 1, 2))
  allocate (values(first:last + 1, 7), kpbl(first:last + 1), qmix(first:last + 1, layers + 1, max(tracers, 1)))
  allocate (qmix_tendencies, mold=qmix)
  inputs = -1
  p_int = -1
  surface = -1
  qmix = -1
  tendencies = -7
  exchange = -7
  values = -7
  qmix_tendencies = -7
  do n = 1, 11
    call get(inputs(first:last, :layers, n))
  end do
  call get(p_int(first:last, :layers + 1))
  do n = 1, 18
    call get(surface(first:last, n:n))
  end do
  do n = 1, tracers
    call get(qmix(first:last, :layers, n))
  end do
  close (unit)

  call bl_shinhong_init(errmsg, errflg)
  if (errflg /= 0) call fail()
  if (flags(4) /= 0) then
    call run(surface(:, 15), surface(:, 16))
  else
    call run()
  end if
  if (errflg /= 0) call fail()
  ! The original sets tendencies of the layers above the columns to 0.
  call zero_above(tendencies)
  call zero_above(qmix_tendencies)
  call untouched(exchange, -7)
  call untouched(inputs, -1)
  if (any(abs(values(last + 1, :) + 7) > 0)) error stop 'what is not of these columns was written'

  call get_command_argument(2, path)
  open (newunit=unit, file=path, access='stream', status='replace')
  do n = 1, 6
    write (unit) real(tendencies(first:last, :layers, n), real64)
  end do
  write (unit) real(exchange(first:last, :layers, :), real64)
  write (unit) real(inputs(first:last, :layers, 11:12), real64)
  write (unit) real(values(first:last, :3), real64), real(kpbl(first:last), real64)
  write (unit) real(surface(first:last, 11:12), real64), real(values(first:last, 4:), real64)
  do n = 1, tracers
    write (unit) real(qmix_tendencies(first:last, :layers, n), real64)
  end do
  close (unit)
  call bl_shinhong_finalize(errmsg, errflg)
  if (errflg /= 0) call fail()

contains

  subroutine run(ctopo, ctopo2)
    real(kind_phys), intent(in), optional :: ctopo(first:), ctopo2(first:)
    logical :: clouds
    clouds = flags(5) /= 0
    associate (u => inputs(:, :, 1), v => inputs(:, :, 2), t => inputs(:, :, 3), qv => inputs(:, :, 4), &
      qc => inputs(:, :, 5), qi => inputs(:, :, 6), p => inputs(:, :, 7), exner => inputs(:, :, 8), &
      dz => inputs(:, :, 9), rthraten => inputs(:, :, 10))
      call bl_shinhong_run(ux=u, vx=v, tx=t, qvx=qv, qcx=qc, qix=qi, nmix=int(tracers), qmix=qmix, p2d=p, p2di=p_int, &
        pi2d=exner, f_qc=clouds, f_qi=clouds, utnp=tendencies(:, :, 1), vtnp=tendencies(:, :, 2), &
        ttnp=tendencies(:, :, 3), qvtnp=tendencies(:, :, 4), qctnp=tendencies(:, :, 5), qitnp=tendencies(:, :, 6), &
        qmixtnp=qmix_tendencies, cp=cp, g=g, rovcp=rd / cp, rd=rd, rovg=rd / g, ep1=rv / rd - 1, ep2=rd / rv, &
        karman=0.4_kind_phys, xlv=2.5e6_kind_phys, rv=rv, dz8w2d=dz, psfcpa=surface(:, 1), znt=surface(:, 2), &
        ust=surface(:, 3), hpbl=values(:, 1), dusfc=values(:, 4), dvsfc=values(:, 5), dtsfc=values(:, 6), &
        dqsfc=values(:, 7), psim=surface(:, 4), psih=surface(:, 5), xland=surface(:, 6), hfx=surface(:, 7), &
        qfx=surface(:, 8), wspd=surface(:, 9), br=surface(:, 10), dt=real(dt, kind_phys), kpbl1d=kpbl, &
        exch_hx=exchange(:, :, 1), exch_mx=exchange(:, :, 2), wstar=values(:, 2), delta=values(:, 3), &
        if_shinhong_nonlocal_flux=flags(1) /= 0, tke=inputs(:, :, 11), el_pbl=inputs(:, :, 12), corf=surface(:, 17), &
        u10=surface(:, 11), v10=surface(:, 12), uox=surface(first:last, 13), vox=surface(first:last, 14), &
        rthraten=rthraten, if_scu_mixing=flags(2) /= 0, if_dissipative_heating=flags(3) /= 0, ctopo=ctopo, &
        ctopo2=ctopo2, dxmeter=surface(:, 18), flag_bep=.false., its=first, ite=last, kte=int(layers), &
        kme=int(layers) + 1, errmsg=errmsg, errflg=errflg)
    end associate
  end subroutine run

  ! Is all around the columns and layers as it was?
  subroutine untouched(fields, number)
    real(kind_phys), intent(in) :: fields(first:, :, :)
    integer, intent(in) :: number
    if (any(abs(fields(last + 1, :, :) - number) > 0) .or. any(abs(fields(:, layers + 1, :) - number) > 0)) &
      error stop 'what is not of these columns and layers was written'
  end subroutine untouched

  subroutine zero_above(fields)
    real(kind_phys), intent(in) :: fields(first:, :, :)
    if (any(abs(fields(last + 1, :, :) + 7) > 0)) error stop 'what is not of these columns was written'
    if (any(abs(fields(first:last, layers + 1, :)) > 0)) error stop 'tendencies above the columns are not 0'
  end subroutine zero_above

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

end program shin_hong_driver
