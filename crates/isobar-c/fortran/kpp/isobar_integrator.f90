! KPP's integrator by Isobar: `INTEGRATE` with the 7 arguments of KPP's own, on the state in KPP's modules.
!
! KPP makes the module of a mechanism from this template as from its own: put this file under the name isobar.f90, with
! isobar.def, into KPP's folder `int`, and write `#INTEGRATOR isobar`. Without KPP, replace KPP_ROOT by the name of the
! mechanism and KPP_REAL by REAL(kind=dp), and compile it in place of the generated module.
!
! The mechanism is read, once, from the file that KPP made the modules of: KPP_ROOT.kpp in the working folder, or what
! the environment variable ISOBAR_KPP_MECHANISM names; included files are found as KPP finds them, also in
! $KPP_HOME/models. Species are known by their names.
!
! Rate constants: with ICNTRL(15) = -1 those that are in RCONST, frozen. Otherwise Isobar evaluates the mechanism's own
! formulas in every stage, sunlight by KPP's formula from the time, and the numbers that they read are those that
! INPUT_VALUE has: add yours there. (KPP's own formulas are compiled with literals of single precision; Isobar reads all
! digits.) With ICNTRL(1) = 1 the rates of change do not depend on the time but through the stages.
!
! IERR is KPP's; -9 is a state that is not finite, -100 an error of another kind, whose message goes to the standard
! error. Methods 6 (Rang3) and 7 (Rodas3.1) are not there: -2.
MODULE KPP_ROOT_Integrator

  USE, INTRINSIC :: iso_fortran_env, ONLY: error_unit, int32, real64
  USE KPP_ROOT_Parameters
  USE KPP_ROOT_Global
  USE isobar, ONLY: isobar_arrays, isobar_names, isobar_scheme
  IMPLICIT NONE
  PUBLIC
  SAVE

  ! What ISTATUS and RSTATUS have.
  INTEGER, PARAMETER :: Nfun = 1, Njac = 2, Nstp = 3, Nacc = 4, Nrej = 5, Ndec = 6, Nsol = 7, Nsng = 8, &
    Ntexit = 1, Nhexit = 2, Nhnew = 3

  ! The error that KPP does not have.
  INTEGER, PARAMETER :: NO_RUN = -100

  ! Made once, then only read.
  TYPE(isobar_scheme), PRIVATE :: CHEMISTRY
  ! The place in KPP's C of each species in the order of Isobar.
  INTEGER, PRIVATE, ALLOCATABLE :: SPECIES(:)
  ! What the formulas of rate constants read.
  CHARACTER(80), PRIVATE, ALLOCATABLE :: INPUTS(:)
  LOGICAL, PRIVATE :: IS_READY = .FALSE.

CONTAINS

  SUBROUTINE INTEGRATE(TIN, TOUT, ICNTRL_U, RCNTRL_U, ISTATUS_U, RSTATUS_U, IERR_U)
    ! The interval [s].
    KPP_REAL, INTENT(IN) :: TIN, TOUT
    ! KPP's options; 0 is the default.
    INTEGER, INTENT(IN), OPTIONAL :: ICNTRL_U(20)
    KPP_REAL, INTENT(IN), OPTIONAL :: RCNTRL_U(20)
    ! Counts; the time that was reached, the last step and the next one; 1 for success.
    INTEGER, INTENT(OUT), OPTIONAL :: ISTATUS_U(20)
    KPP_REAL, INTENT(OUT), OPTIONAL :: RSTATUS_U(20)
    INTEGER, INTENT(OUT), OPTIONAL :: IERR_U
    INTEGER :: ICNTRL(20), ISTATUS(20), IERR
    KPP_REAL :: RCNTRL(20), RSTATUS(20)

    ICNTRL = 0
    RCNTRL = 0
    ICNTRL(15) = 5
    IF (PRESENT(ICNTRL_U)) THEN
      WHERE (ICNTRL_U /= 0) ICNTRL = ICNTRL_U
    END IF
    IF (PRESENT(RCNTRL_U)) THEN
      WHERE (RCNTRL_U > 0) RCNTRL = RCNTRL_U
    END IF
    ISTATUS = 0
    RSTATUS = 0
    IERR = 1
    IF (.NOT. IS_READY) THEN
      !$OMP CRITICAL (isobar_kpp)
      IF (.NOT. IS_READY) CALL PREPARE(IERR)
      !$OMP END CRITICAL (isobar_kpp)
    END IF
    IF (IERR == 1) CALL COMPUTE(TIN, TOUT, ICNTRL, RCNTRL, ISTATUS, RSTATUS, IERR)
    STEPMIN = RSTATUS(Nhexit)
    IF (PRESENT(ISTATUS_U)) ISTATUS_U = ISTATUS
    IF (PRESENT(RSTATUS_U)) RSTATUS_U = RSTATUS
    IF (PRESENT(IERR_U)) THEN
      IERR_U = IERR
    ELSE IF (IERR < 0) THEN
      WRITE (error_unit, '(A, I0)') 'INTEGRATE (KPP_ROOT): IERR = ', IERR
    END IF
  END SUBROUTINE INTEGRATE

  ! What the mechanism's formulas read of the host, by the name that they have for it, in the units of the mechanism.
  FUNCTION INPUT_VALUE(NAME, IS_KNOWN) RESULT(VALUE)
    CHARACTER(*), INTENT(IN) :: NAME
    LOGICAL, INTENT(OUT) :: IS_KNOWN
    KPP_REAL :: VALUE

    IS_KNOWN = .TRUE.
    VALUE = 0
    SELECT CASE (NAME)
    CASE ('TEMP')
      VALUE = TEMP
    CASE ('SUN')
      VALUE = SUN
    CASE ('CFACTOR')
      VALUE = CFACTOR
    CASE ('TIME')
      VALUE = TIME
    CASE DEFAULT
      IS_KNOWN = .FALSE.
    END SELECT
  END FUNCTION INPUT_VALUE

  ! Reads the mechanism.
  SUBROUTINE PREPARE(IERR)
    USE KPP_ROOT_Monitor, ONLY: SPC_NAMES
    INTEGER, INTENT(OUT) :: IERR
    CHARACTER(80), ALLOCATABLE :: NAMES(:)
    CHARACTER(1024) :: PATH, HOME, DEVICES, MESSAGE
    CHARACTER(:), ALLOCATABLE :: FACTS, FOLDERS
    INTEGER :: I, J, STAT

    CALL GET_ENVIRONMENT_VARIABLE('ISOBAR_KPP_MECHANISM', PATH)
    IF (PATH == '') PATH = 'KPP_ROOT.kpp'
    CALL GET_ENVIRONMENT_VARIABLE('KPP_HOME', HOME)
    FOLDERS = '"."'
    IF (HOME /= '') FOLDERS = FOLDERS // ', "' // TRIM(HOME) // '/models"'
    CALL GET_ENVIRONMENT_VARIABLE('ISOBAR_DEVICES', DEVICES)
    IF (DEVICES == '') DEVICES = 'thread'
    IERR = NO_RUN
    CALL CHEMISTRY%create('chemistry', real64, '{"bad_items": "flag", "tables": {"mechanism": "' // TRIM(PATH) // &
      '", "include": [' // &
      FOLDERS // '], "sun_from_time": true}}', DEVICES, STAT, MESSAGE)
    IF (STAT /= 0) THEN
      WRITE (error_unit, '(2A)') 'INTEGRATE (KPP_ROOT): ', TRIM(MESSAGE)
      RETURN
    END IF
    FACTS = CHEMISTRY%facts()
    NAMES = isobar_names(FACTS, 'species')
    INPUTS = isobar_names(FACTS, 'rate_inputs')
    IF (SIZE(NAMES) /= NSPEC .OR. SIZE(isobar_names(FACTS, 'reactions', 'equation')) /= NREACT) THEN
      WRITE (error_unit, '(3A)') 'INTEGRATE (KPP_ROOT): ', TRIM(PATH), ' is not the mechanism of KPP''s modules'
      RETURN
    END IF
    ALLOCATE (SPECIES(NSPEC))
    SPECIES = 0
    DO I = 1, NSPEC
      DO J = 1, NSPEC
        IF (UPPER(SPC_NAMES(J)) == UPPER(NAMES(I))) SPECIES(I) = J
      END DO
      IF (SPECIES(I) == 0 .OR. (I <= NVAR .NEQV. SPECIES(I) <= NVAR)) THEN
        WRITE (error_unit, '(5A)') 'INTEGRATE (KPP_ROOT): ', TRIM(PATH), ' has the species ', TRIM(NAMES(I)), &
          ', and KPP''s modules have not'
        RETURN
      END IF
    END DO
    IS_READY = .TRUE.
    IERR = 1
  END SUBROUTINE PREPARE

  SUBROUTINE COMPUTE(TIN, TOUT, ICNTRL, RCNTRL, ISTATUS, RSTATUS, IERR)
    KPP_REAL, INTENT(IN) :: TIN, TOUT, RCNTRL(20)
    INTEGER, INTENT(IN) :: ICNTRL(20)
    INTEGER, INTENT(INOUT) :: ISTATUS(20)
    KPP_REAL, INTENT(INOUT) :: RSTATUS(20)
    INTEGER, INTENT(OUT) :: IERR
    TYPE(isobar_arrays), TARGET :: IN, OUT
    REAL(real64), TARGET :: BEFORE(1, NSPEC), AFTER(1, NSPEC), RATES(1, NREACT), VALUES(1, MAX(SIZE(INPUTS), 1))
    REAL(real64), TARGET :: FIRST(1), REACHED(1), LAST(1), NEXT(1)
    INTEGER(int32), TARGET :: COUNTS(1, 8), STATUS(1)
    CHARACTER(1024) :: MESSAGE
    INTEGER :: I, STAT
    LOGICAL :: IS_KNOWN

    BEFORE(1, :) = C(SPECIES)
    FIRST = 0
    CALL IN%add('concentration', BEFORE)
    CALL IN%add('first_step_s', FIRST)
    IF (ICNTRL(15) == -1) THEN
      RATES(1, :) = RCONST
      CALL IN%add('rate_constant', RATES)
    ELSE IF (SIZE(INPUTS) > 0) THEN
      DO I = 1, SIZE(INPUTS)
        VALUES(1, I) = INPUT_VALUE(UPPER(INPUTS(I)), IS_KNOWN)
        IF (.NOT. IS_KNOWN) THEN
          WRITE (error_unit, '(3A)') 'INTEGRATE (KPP_ROOT): rate constants read ', TRIM(INPUTS(I)), &
            ', which INPUT_VALUE does not have: add it there, or set ICNTRL(15) = -1'
          IERR = NO_RUN
          RETURN
        END IF
      END DO
      CALL IN%add('rate_input', VALUES)
    END IF
    CALL OUT%add('concentration', AFTER)
    CALL OUT%add('time_reached_s', REACHED)
    CALL OUT%add('last_step_s', LAST)
    CALL OUT%add('next_step_s', NEXT)
    CALL OUT%add('counters', COUNTS)
    CALL OUT%add('status', STATUS)
    IF (ICNTRL(3) < 0 .OR. ICNTRL(3) > 7) THEN
      IERR = -2
      RETURN
    END IF
    CALL CHEMISTRY%run(IN, OUT, OPTIONS(TIN, TOUT, ICNTRL, RCNTRL), STAT, MESSAGE)
    ! What is wrong with the cell is said; one that failed on the way has a code of KPP's.
    IF (STAT < 0 .OR. STATUS(1) == 2) THEN
      WRITE (error_unit, '(2A)') 'INTEGRATE (KPP_ROOT): ', TRIM(MESSAGE)
      IERR = NO_RUN
      RETURN
    END IF
    C(SPECIES) = AFTER(1, :)
    ISTATUS(1:8) = COUNTS(1, :)
    RSTATUS(Ntexit) = REACHED(1)
    RSTATUS(Nhexit) = LAST(1)
    RSTATUS(Nhnew) = NEXT(1)
    SELECT CASE (STATUS(1))
    CASE (0)
      IERR = 1
    CASE (16)
      IERR = -6
    CASE (32)
      IERR = -7
    CASE (64)
      IERR = -8
    CASE DEFAULT
      IERR = -9
    END SELECT
  END SUBROUTINE COMPUTE

  ! KPP's options as Isobar has them.
  FUNCTION OPTIONS(TIN, TOUT, ICNTRL, RCNTRL) RESULT(TEXT)
    KPP_REAL, INTENT(IN) :: TIN, TOUT, RCNTRL(20)
    INTEGER, INTENT(IN) :: ICNTRL(20)
    CHARACTER(:), ALLOCATABLE :: TEXT
    CHARACTER(8), PARAMETER :: METHODS(0:7) = ['rodas3  ', 'ros2    ', 'ros3    ', 'ros4    ', 'rodas3  ', 'rodas4  ', &
      'rang3   ', 'rodas3.1']
    CHARACTER(16), PARAMETER :: REALS(7) = [CHARACTER(16) :: 'min_step_s', 'max_step_s', 'first_step_s', &
      'least_factor', 'most_factor', 'rejected_factor', 'safety']
    CHARACTER(12) :: STEPS
    INTEGER :: I

    TEXT = '{"start_s": ' // NUMBER(TIN) // ', "end_s": ' // NUMBER(TOUT) // ', "method": "' // &
      TRIM(METHODS(ICNTRL(3))) // '", "absolute_tolerance": ' // TOLERANCE(ATOL, ICNTRL(2)) // &
      ', "relative_tolerance": ' // TOLERANCE(RTOL, ICNTRL(2))
    IF (ICNTRL(15) == -1) THEN
      TEXT = TEXT // ', "rates": "frozen", "autonomous": true'
    ELSE
      TEXT = TEXT // ', "rates": "stage", "autonomous": ' // TRIM(MERGE('true ', 'false', ICNTRL(1) /= 0))
    END IF
    IF (ICNTRL(4) > 0) THEN
      WRITE (STEPS, '(I0)') ICNTRL(4)
      TEXT = TEXT // ', "max_steps": ' // TRIM(STEPS)
    END IF
    IF (ICNTRL(16) == 1) TEXT = TEXT // ', "negative": "clip"'
    DO I = 1, 7
      IF (RCNTRL(I) > 0) TEXT = TEXT // ', "' // TRIM(REALS(I)) // '": ' // NUMBER(RCNTRL(I))
    END DO
    TEXT = TEXT // '}'
  END FUNCTION OPTIONS

  ! Tolerances in the order of Isobar: one number where there is one.
  FUNCTION TOLERANCE(VALUES, IS_ONE) RESULT(TEXT)
    KPP_REAL, INTENT(IN) :: VALUES(NVAR)
    INTEGER, INTENT(IN) :: IS_ONE
    CHARACTER(:), ALLOCATABLE :: TEXT
    INTEGER :: I

    IF (IS_ONE /= 0 .OR. .NOT. ANY(VALUES < VALUES(1) .OR. VALUES > VALUES(1))) THEN
      TEXT = '[' // NUMBER(VALUES(1)) // ']'
      RETURN
    END IF
    TEXT = '[' // NUMBER(VALUES(SPECIES(1)))
    DO I = 2, NVAR
      TEXT = TEXT // ', ' // NUMBER(VALUES(SPECIES(I)))
    END DO
    TEXT = TEXT // ']'
  END FUNCTION TOLERANCE

  ! A number with all its digits.
  FUNCTION NUMBER(VALUE) RESULT(TEXT)
    KPP_REAL, INTENT(IN) :: VALUE
    CHARACTER(:), ALLOCATABLE :: TEXT
    CHARACTER(24) :: DIGITS

    WRITE (DIGITS, '(ES24.16E3)') VALUE
    TEXT = TRIM(ADJUSTL(DIGITS))
  END FUNCTION NUMBER

  ! In capital letters.
  FUNCTION UPPER(NAME) RESULT(CAPITALS)
    CHARACTER(*), INTENT(IN) :: NAME
    CHARACTER(80) :: CAPITALS
    INTEGER :: I

    CAPITALS = NAME
    DO I = 1, LEN_TRIM(CAPITALS)
      IF (CAPITALS(I:I) >= 'a' .AND. CAPITALS(I:I) <= 'z') CAPITALS(I:I) = ACHAR(IACHAR(CAPITALS(I:I)) - 32)
    END DO
  END FUNCTION UPPER

END MODULE KPP_ROOT_Integrator
