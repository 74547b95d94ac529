! Calls sf_sfclayrev_run, of whatever module that is linked, as a host does: on arrays that are wider than the columns,
! with columns that do not begin at 1. Reads a case from the first file, and writes the results, all numbers of double
! precision, to the second one.
program surface_driver
  use, intrinsic :: iso_fortran_env, only: error_unit, int32, real64
  use ccpp_kind_types, only: kind_phys
  use sf_sfclayrev, only: sf_sfclayrev_init, sf_sfclayrev_run
  implicit none
  integer, parameter :: first = 3
  integer(int32) :: columns, choices(6)
  integer :: last, unit, errflg, n
  real(real64) :: constants(14)
  character(512) :: path, errmsg
  ! In the order of the reference's files.
  real(kind_phys), allocatable :: read_only(:, :), state(:, :), values(:, :)

  call get_command_argument(1, path)
  open (newunit=unit, file=path, access='stream', status='old')
  read (unit) columns, choices, constants
  last = first + columns - 1
  allocate (read_only(first:last + 1, 15), state(first:last + 1, 10), values(first:last + 1, 24))
  read_only = -1
  state = -1
  values = -9999
  do n = 1, 15
    call get(read_only(first:last, n))
  end do
  do n = 1, 10
    call get(state(first:last, n))
  end do
  close (unit)

  call sf_sfclayrev_init(errmsg, errflg)
  if (errflg /= 0) call fail()
  if (choices(5) /= 0) then
    call run(varf=read_only(:, 12), if_kim_tofd=.true., tofd_factor=real(constants(14), kind_phys))
  else
    call run()
  end if
  if (errflg /= 0) call fail()
  if (any(abs(values(last + 1, :) + 9999) > 0) .or. any(abs(state(last + 1, :) + 1) > 0)) &
    error stop 'what is not of these columns was written'

  call get_command_argument(2, path)
  open (newunit=unit, file=path, access='stream', status='replace')
  write (unit) real(state(first:last, :), real64), real(values(first:last, :), real64)
  close (unit)

contains

  subroutine run(varf, if_kim_tofd, tofd_factor)
    real(kind_phys), intent(in), optional :: varf(first:), tofd_factor
    logical, intent(in), optional :: if_kim_tofd
    real(kind_phys) :: c(13)

    c = real(constants(:13), kind_phys)
    call sf_sfclayrev_run(ux=read_only(:, 1), vx=read_only(:, 2), t1d=read_only(:, 3), qv1d=read_only(:, 4), &
      p1d=read_only(:, 5), dz8w1d=read_only(:, 6), cp=c(1), g=c(2), rovcp=c(3), r=c(4), xlv=c(5), &
      psfcpa=read_only(:, 7), chs=values(:, 9), chs2=values(:, 10), cqs2=values(:, 11), cpm=values(:, 8), &
      pblh=read_only(:, 8), rmol=state(:, 5), znt=state(:, 1), ust=state(:, 2), mavail=read_only(:, 9), &
      zol=state(:, 3), mol=state(:, 4), regime=state(:, 6), psim=values(:, 4), psih=values(:, 5), fm=values(:, 6), &
      fh=values(:, 7), xland=read_only(:, 10), hfx=state(:, 7), qfx=state(:, 8), tsk=read_only(:, 11), varf=varf, &
      if_kim_tofd=if_kim_tofd, tofd_factor=tofd_factor, u10=values(:, 16), v10=values(:, 17), th2=values(:, 18), &
      t2=values(:, 19), q2=values(:, 20), flhc=values(:, 12), flqc=values(:, 13), qgh=values(:, 14), &
      qsfc=state(:, 9), lh=values(:, 15), gz1oz0=values(:, 1), wspd=values(:, 2), br=values(:, 3), &
      isfflx=choices(1) /= 0, dx=read_only(:, 13), svp1=c(6), svp2=c(7), svp3=c(8), svpt0=c(9), ep1=c(10), &
      ep2=c(11), karman=c(12), p1000mb=c(13), lakemask=read_only(:, 14), shalwater_z0=choices(4) /= 0, &
      water_depth=read_only(:, 15), isftcflx=int(choices(2)), iz0tlnd=int(choices(3)), &
      scm_force_flux=choices(6) /= 0, ustm=state(:, 10), ck=values(:, 21), cka=values(:, 22), cd=values(:, 23), &
      cda=values(:, 24), its=first, ite=last, errmsg=errmsg, errflg=errflg)
  end subroutine run

  subroutine get(field)
    real(kind_phys), intent(out) :: field(:)
    real(real64), allocatable :: numbers(:)
    allocate (numbers(size(field)))
    read (unit) numbers
    field = real(numbers, kind_phys)
  end subroutine get

  subroutine fail()
    write (error_unit, '(a)') trim(errmsg)
    stop 3
  end subroutine fail

end program surface_driver
