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
! Rate constants, by ICNTRL(15): with -1 those that are in RCONST, frozen. With 5 (which 0 means, too) and 7 Isobar
! evaluates the mechanism's own formulas in every stage, sunlight by KPP's formula from the time; with 1 and 3 likewise,
! but with the SUN that the host has set. Photolysis alone (2, 6), and sunlight for rate constants that stay (4), are
! not there: -100. The other numbers that formulas read are those that INPUT_VALUE has: add yours there. (KPP's own
! formulas are compiled with literals of single precision; Isobar reads all digits.) With ICNTRL(1) = 1 the rates of
! change do not depend on the time but through the stages. RCONST, SUN and TIME stay as the host has them.
!
! Methods, by ICNTRL(3): 1 Ros2, 2 Ros3, 3 Ros4, 4 Rodas3 (which 0 means, too), 5 Rodas4, 6 Rang3, 7 Rodas3.1.
!
! IERR is KPP's: -1 a negative number of steps, -2 another method, -5 tolerances, -6 too many steps, -7 an interval that
! runs backward or a step that is too small, -8 a singular matrix. -9 is a state that is not finite, which KPP does not
! look at, -100 an error of another kind, as a fixed species below zero. (Variable ones may be there, as KPP's own
! results are.) What was wrong with the call is said on the standard error.
!
! Passive species, which KPP 3.5 leaves out of the mean error of a step, are those that are not among the first
! NonPassiveSpc_Count of NonPassiveSpc_Indices, as `Initialize(PassiveSpc_ATOL_Threshold = 1d25)` sets them; a count of
! 0, before Initialize, is -100. Modules of an older KPP have no such variables, and no passive species.
!
! Of KPP's other Rosenbrock integrators it has autoreduction, with ICNTRL(12) = 1, by ICNTRL(13) and (14), RCNTRL(12)
! and (14), and keepActive and keepSpcActive where KPP_ROOT_Global has them; RSTATUS(4) is the threshold of a target
! species, and rNVAR stays as it is. It has the step control H211b, by RCNTRL(15) and (16). QSSA (ICNTRL(18)) is -100.

! What KPP's later versions have in their modules.
MODULE KPP_ROOT_Later

  USE KPP_ROOT_Parameters, ONLY: NVAR
  IMPLICIT NONE

  ! Where KPP_ROOT_Global has variables of these names, they hide these within the procedures that use it.
  INTEGER, PARAMETER :: NonPassiveSpc_Count = NVAR + 1, NonPassiveSpc_Indices(NVAR + 1) = 1
  LOGICAL, PARAMETER :: keepActive = .FALSE., keepSpcActive(NVAR) = .FALSE.

CONTAINS

  ! Which species are passive; all of them where Initialize was not called.
  SUBROUTINE FIND_PASSIVE(SPECIES_IS_PASSIVE)
    USE KPP_ROOT_Global
    LOGICAL, INTENT(OUT) :: SPECIES_IS_PASSIVE(NVAR)

    SPECIES_IS_PASSIVE = NonPassiveSpc_Count <= NVAR
    IF (NonPassiveSpc_Count <= NVAR) SPECIES_IS_PASSIVE(NonPassiveSpc_Indices(:NonPassiveSpc_Count)) = .FALSE.
  END SUBROUTINE FIND_PASSIVE

  ! Which species autoreduction never leaves out.
  SUBROUTINE FIND_KEPT(SPECIES_IS_KEPT)
    USE KPP_ROOT_Global
    LOGICAL, INTENT(OUT) :: SPECIES_IS_KEPT(NVAR)

    SPECIES_IS_KEPT = keepActive .AND. keepSpcActive
  END SUBROUTINE FIND_KEPT

END MODULE KPP_ROOT_Later

MODULE KPP_ROOT_Integrator

  USE, INTRINSIC :: ieee_arithmetic, ONLY: IEEE_IS_FINITE
  USE, INTRINSIC :: iso_fortran_env, ONLY: error_unit, int32, real64
  USE KPP_ROOT_Parameters
  USE KPP_ROOT_Global
  USE KPP_ROOT_Later, ONLY: FIND_KEPT, FIND_PASSIVE
  USE isobar, ONLY: isobar_arrays, isobar_names, isobar_scheme
  IMPLICIT NONE
  PUBLIC
  PRIVATE :: CHECK, FIND_KEPT, FIND_PASSIVE, IEEE_IS_FINITE, IS_TOLERANCE
  SAVE

  ! What ISTATUS and RSTATUS have.
  INTEGER, PARAMETER :: Nfun = 1, Njac = 2, Nstp = 3, Nacc = 4, Nrej = 5, Ndec = 6, Nsol = 7, Nsng = 8, &
    Ntexit = 1, Nhexit = 2, Nhnew = 3, NARthr = 4

  ! The error that KPP does not have.
  INTEGER, PARAMETER :: NO_RUN = -100

  ! The mechanism: made once, then only read.
  TYPE, PRIVATE :: MADE
    TYPE(isobar_scheme) :: CHEMISTRY
    ! The place in KPP's C of each species in the order of Isobar.
    INTEGER, ALLOCATABLE :: SPECIES(:)
    ! What the formulas of rate constants read.
    CHARACTER(80), ALLOCATABLE :: INPUTS(:)
    LOGICAL :: IS_READY = .FALSE.
  END TYPE MADE
  ! With sunlight from the time, and with that of the host.
  TYPE(MADE), PRIVATE, TARGET :: SUN_OF_TIME, SUN_OF_HOST

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
    TYPE(MADE), POINTER :: MECHANISM

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
    MECHANISM => SUN_OF_TIME
    IF (ICNTRL(15) == 1 .OR. ICNTRL(15) == 3) MECHANISM => SUN_OF_HOST
    CALL CHECK(TIN, TOUT, ICNTRL, RCNTRL, IERR)
    IF (IERR == 1 .AND. .NOT. MECHANISM%IS_READY) THEN
      !$OMP CRITICAL (isobar_kpp)
      IF (.NOT. MECHANISM%IS_READY) CALL PREPARE(MECHANISM, ASSOCIATED(MECHANISM, SUN_OF_TIME), IERR)
      !$OMP END CRITICAL (isobar_kpp)
    END IF
    IF (IERR == 1) CALL COMPUTE(MECHANISM, TIN, TOUT, ICNTRL, RCNTRL, ISTATUS, RSTATUS, IERR)
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

  ! What is wrong with the call, in KPP's order, or with the state.
  SUBROUTINE CHECK(TIN, TOUT, ICNTRL, RCNTRL, IERR)
    USE KPP_ROOT_Monitor, ONLY: SPC_NAMES
    KPP_REAL, INTENT(IN) :: TIN, TOUT, RCNTRL(20)
    INTEGER, INTENT(IN) :: ICNTRL(20)
    INTEGER, INTENT(OUT) :: IERR
    KPP_REAL, PARAMETER :: ZERO = 0, ONE = 1
    LOGICAL :: IS_PASSIVE(NVAR)
    INTEGER :: I, LAST

    LAST = NVAR
    IF (ICNTRL(2) /= 0) LAST = 1
    IERR = 1
    SELECT CASE (ICNTRL(15))
    CASE (-1, 1, 3, 5, 7)
    CASE DEFAULT
      IERR = NO_RUN
      WRITE (error_unit, '(A, I0, A)') 'INTEGRATE (KPP_ROOT): ICNTRL(15) is ', ICNTRL(15), &
        ', which is none of -1, 0, 1, 3, 5 and 7: rate constants are all evaluated, or none'
      RETURN
    END SELECT
    IF (ICNTRL(3) < 0 .OR. ICNTRL(3) > 7) THEN
      IERR = -2
      WRITE (error_unit, '(A, I0, A)') 'INTEGRATE (KPP_ROOT): ICNTRL(3) is ', ICNTRL(3), ', which is none of 0 to 7'
      RETURN
    END IF
    IF (ICNTRL(4) < 0) THEN
      IERR = -1
      WRITE (error_unit, '(A, I0)') 'INTEGRATE (KPP_ROOT): ICNTRL(4), the most steps, is ', ICNTRL(4)
      RETURN
    END IF
    IF (ICNTRL(18) /= 0) THEN
      IERR = NO_RUN
      WRITE (error_unit, '(A, I0, A)') 'INTEGRATE (KPP_ROOT): ICNTRL(18) is ', ICNTRL(18), &
        ', and the QSSA of KPP''s rosenbrock_h211b_qssa is not there: it has to be 0'
      RETURN
    END IF
    IF (ICNTRL(12) == 1 .AND. ICNTRL(14) /= 0) THEN
      IF (ICNTRL(14) < 0 .OR. ICNTRL(14) > NVAR .OR. .NOT. RCNTRL(14) > 0) THEN
        IERR = NO_RUN
        WRITE (error_unit, '(2(A, I0), A, G0.7)') 'INTEGRATE (KPP_ROOT): autoreduction by a target species needs ' // &
          'one of 1 to ', NVAR, ' in ICNTRL(14), which is ', ICNTRL(14), ', and its ratio above 0 in RCNTRL(14), ' // &
          'which is ', RCNTRL(14)
        RETURN
      END IF
    END IF
    DO I = 1, LAST
      IF (IS_TOLERANCE(ATOL(I), ZERO, HUGE(ATOL)) .AND. &
          IS_TOLERANCE(RTOL(I), 10 * EPSILON(RTOL), NEAREST(ONE, -ONE))) CYCLE
      IERR = -5
      WRITE (error_unit, '(2A, 2(A, G0.7), A)') 'INTEGRATE (KPP_ROOT): tolerances of ', TRIM(SPC_NAMES(I)), ' are ', &
        ATOL(I), ', which has to be above 0, and relative ', RTOL(I), ', which has to be between 10 roundings and 1'
      RETURN
    END DO
    CALL FIND_PASSIVE(IS_PASSIVE)
    IF (ALL(IS_PASSIVE)) THEN
      IERR = NO_RUN
      WRITE (error_unit, '(A)') 'INTEGRATE (KPP_ROOT): no species is in the mean error, for NonPassiveSpc_Count ' // &
        'is 0: Initialize, which sets it, is called before, with a PassiveSpc_ATOL_Threshold above some of ATOL'
      RETURN
    END IF
    IF (.NOT. (IEEE_IS_FINITE(TIN) .AND. IEEE_IS_FINITE(TOUT))) THEN
      IERR = NO_RUN
    ELSE IF (TOUT < TIN) THEN
      IERR = -7
    END IF
    IF (IERR /= 1) THEN
      WRITE (error_unit, '(2(A, G0.7), A)') 'INTEGRATE (KPP_ROOT): the interval runs from ', TIN, ' to ', TOUT, ' s'
      RETURN
    END IF
    ! Variable species may be below zero, as KPP's own results are.
    DO I = 1, NSPEC
      IF (.NOT. IEEE_IS_FINITE(C(I))) THEN
        IERR = -9
      ELSE IF (I > NVAR .AND. C(I) < 0) THEN
        IERR = NO_RUN
      ELSE
        CYCLE
      END IF
      WRITE (error_unit, '(3A, G0.7, 2A)') 'INTEGRATE (KPP_ROOT): the concentration of ', TRIM(SPC_NAMES(I)), ' is ', &
        C(I), ', which is no finite number', TRIM(MERGE(' of at least 0', '              ', I > NVAR))
      RETURN
    END DO
  END SUBROUTINE CHECK

  ! Reads the mechanism.
  SUBROUTINE PREPARE(MECHANISM, FROM_TIME, IERR)
    USE KPP_ROOT_Monitor, ONLY: SPC_NAMES
    TYPE(MADE), INTENT(INOUT) :: MECHANISM
    ! Is sunlight that of the time?
    LOGICAL, INTENT(IN) :: FROM_TIME
    INTEGER, INTENT(OUT) :: IERR
    INTEGER :: SPECIES(NSPEC)
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
    CALL MECHANISM%CHEMISTRY%create('chemistry', real64, '{"bad_items": "flag", "tables": {"mechanism": "' // &
      TRIM(PATH) // '", "include": [' // FOLDERS // '], "sun_from_time": ' // &
      TRIM(MERGE('true ', 'false', FROM_TIME)) // '}}', DEVICES, STAT, MESSAGE)
    IF (STAT /= 0) THEN
      WRITE (error_unit, '(2A)') 'INTEGRATE (KPP_ROOT): ', TRIM(MESSAGE)
      RETURN
    END IF
    FACTS = MECHANISM%CHEMISTRY%facts()
    NAMES = isobar_names(FACTS, 'species')
    MECHANISM%INPUTS = isobar_names(FACTS, 'rate_inputs')
    IF (SIZE(NAMES) /= NSPEC .OR. SIZE(isobar_names(FACTS, 'reactions', 'equation')) /= NREACT) THEN
      WRITE (error_unit, '(3A)') 'INTEGRATE (KPP_ROOT): ', TRIM(PATH), ' is not the mechanism of KPP''s modules'
      RETURN
    END IF
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
    MECHANISM%SPECIES = SPECIES
    MECHANISM%IS_READY = .TRUE.
    IERR = 1
  END SUBROUTINE PREPARE

  SUBROUTINE COMPUTE(MECHANISM, TIN, TOUT, ICNTRL, RCNTRL, ISTATUS, RSTATUS, IERR)
    TYPE(MADE), INTENT(IN) :: MECHANISM
    KPP_REAL, INTENT(IN) :: TIN, TOUT, RCNTRL(20)
    INTEGER, INTENT(IN) :: ICNTRL(20)
    INTEGER, INTENT(INOUT) :: ISTATUS(20)
    KPP_REAL, INTENT(INOUT) :: RSTATUS(20)
    INTEGER, INTENT(OUT) :: IERR
    TYPE(isobar_arrays), TARGET :: IN, OUT
    REAL(real64), TARGET :: BEFORE(1, NSPEC), AFTER(1, NSPEC), RATES(1, NREACT)
    REAL(real64), TARGET :: VALUES(1, MAX(SIZE(MECHANISM%INPUTS), 1))
    REAL(real64), TARGET :: FIRST(1), REACHED(1), LAST(1), NEXT(1), THRESHOLD(1, 1)
    INTEGER(int32), TARGET :: COUNTS(1, 8), STATUS(1)
    CHARACTER(:), ALLOCATABLE :: OPTIONS
    CHARACTER(1024) :: MESSAGE
    INTEGER :: I, STAT
    LOGICAL :: IS_KNOWN

    BEFORE(1, :) = C(MECHANISM%SPECIES)
    FIRST = 0
    CALL IN%add('concentration', BEFORE)
    CALL IN%add('first_step_s', FIRST)
    IF (ICNTRL(15) == -1) THEN
      RATES(1, :) = RCONST
      CALL IN%add('rate_constant', RATES)
    ELSE IF (SIZE(MECHANISM%INPUTS) > 0) THEN
      DO I = 1, SIZE(MECHANISM%INPUTS)
        VALUES(1, I) = INPUT_VALUE(UPPER(MECHANISM%INPUTS(I)), IS_KNOWN)
        IF (.NOT. IS_KNOWN) THEN
          WRITE (error_unit, '(3A)') 'INTEGRATE (KPP_ROOT): rate constants read ', TRIM(MECHANISM%INPUTS(I)), &
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
    THRESHOLD = 0
    IF (ICNTRL(12) == 1) CALL OUT%add('threshold', THRESHOLD)
    CALL WRITE_OPTIONS(MECHANISM%SPECIES, TIN, TOUT, ICNTRL, RCNTRL, OPTIONS)
    CALL MECHANISM%CHEMISTRY%run(IN, OUT, OPTIONS, STAT, MESSAGE)
    ! What is wrong with the cell is said; one that failed on the way has a code of KPP's.
    IF (STAT < 0 .OR. STATUS(1) == 2) THEN
      WRITE (error_unit, '(2A)') 'INTEGRATE (KPP_ROOT): ', TRIM(MESSAGE)
      IERR = NO_RUN
      RETURN
    END IF
    C(MECHANISM%SPECIES) = AFTER(1, :)
    ISTATUS(1:8) = COUNTS(1, :)
    RSTATUS(Ntexit) = REACHED(1)
    RSTATUS(Nhexit) = LAST(1)
    RSTATUS(Nhnew) = NEXT(1)
    IF (ICNTRL(14) > 0) RSTATUS(NARthr) = THRESHOLD(1, 1)
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
  SUBROUTINE WRITE_OPTIONS(SPECIES, TIN, TOUT, ICNTRL, RCNTRL, TEXT)
    INTEGER, INTENT(IN) :: SPECIES(NSPEC)
    KPP_REAL, INTENT(IN) :: TIN, TOUT, RCNTRL(20)
    INTEGER, INTENT(IN) :: ICNTRL(20)
    CHARACTER(:), ALLOCATABLE, INTENT(OUT) :: TEXT
    CHARACTER(8), PARAMETER :: METHODS(0:7) = ['rodas3  ', 'ros2    ', 'ros3    ', 'ros4    ', 'rodas3  ', 'rodas4  ', &
      'rang3   ', 'rodas3.1']
    CHARACTER(16), PARAMETER :: REALS(7) = [CHARACTER(16) :: 'min_step_s', 'max_step_s', 'first_step_s', &
      'least_factor', 'most_factor', 'rejected_factor', 'safety']
    CHARACTER(:), ALLOCATABLE :: ABSOLUTE, RELATIVE
    CHARACTER(12) :: STEPS
    KPP_REAL :: OF_SPECIES(NVAR)
    LOGICAL :: IS_PASSIVE(NVAR)
    INTEGER :: I

    OF_SPECIES = RTOL
    IF (ICNTRL(2) /= 0) OF_SPECIES = RTOL(1)
    CALL WRITE_TOLERANCE(SPECIES, OF_SPECIES, RELATIVE)
    OF_SPECIES = ATOL
    IF (ICNTRL(2) /= 0) OF_SPECIES = ATOL(1)
    CALL FIND_PASSIVE(IS_PASSIVE)
    ! The library knows passive species by their tolerance.
    WHERE (IS_PASSIVE) OF_SPECIES = HUGE(OF_SPECIES)
    CALL WRITE_TOLERANCE(SPECIES, OF_SPECIES, ABSOLUTE)
    IF (ANY(IS_PASSIVE)) ABSOLUTE = ABSOLUTE // ', "passive_tolerance": ' // NUMBER(HUGE(OF_SPECIES))
    TEXT = '{"start_s": ' // NUMBER(TIN) // ', "end_s": ' // NUMBER(TOUT) // ', "method": "' // &
      TRIM(METHODS(ICNTRL(3))) // '", "absolute_tolerance": ' // ABSOLUTE // ', "relative_tolerance": ' // RELATIVE
    TEXT = TEXT // ', "negative_start": true'
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
    IF (RCNTRL(15) > 0 .AND. RCNTRL(16) > 0) TEXT = TEXT // ', "h211b": ' // NUMBER(RCNTRL(15)) // &
      ', "h211b_order": ' // NUMBER(RCNTRL(16))
    IF (ICNTRL(12) == 1) CALL ADD_REDUCTION(SPECIES, ICNTRL, RCNTRL, TEXT)
    TEXT = TEXT // '}'
  END SUBROUTINE WRITE_OPTIONS

  ! Autoreduction, with species by their number in Isobar, from 0 on.
  SUBROUTINE ADD_REDUCTION(SPECIES, ICNTRL, RCNTRL, TEXT)
    INTEGER, INTENT(IN) :: SPECIES(NSPEC), ICNTRL(20)
    KPP_REAL, INTENT(IN) :: RCNTRL(20)
    CHARACTER(:), ALLOCATABLE, INTENT(INOUT) :: TEXT
    LOGICAL :: IS_KEPT(NVAR)
    CHARACTER(12) :: PLACE
    CHARACTER(2) :: COMMA
    INTEGER :: I

    TEXT = TEXT // ', "reduction": {"append": ' // TRIM(MERGE('true ', 'false', ICNTRL(13) == 1))
    IF (RCNTRL(12) > 0) TEXT = TEXT // ', "threshold": ' // NUMBER(RCNTRL(12))
    IF (ICNTRL(14) > 0) THEN
      WRITE (PLACE, '(I0)') FINDLOC(SPECIES, ICNTRL(14), 1) - 1
      TEXT = TEXT // ', "targets": [{"species": ' // TRIM(PLACE) // ', "ratio": ' // NUMBER(RCNTRL(14)) // '}]'
    END IF
    CALL FIND_KEPT(IS_KEPT)
    TEXT = TEXT // ', "keep": ['
    COMMA = ''
    DO I = 1, NVAR
      IF (.NOT. IS_KEPT(SPECIES(I))) CYCLE
      WRITE (PLACE, '(I0)') I - 1
      TEXT = TEXT // TRIM(COMMA) // TRIM(PLACE)
      COMMA = ','
    END DO
    TEXT = TEXT // ']}'
  END SUBROUTINE ADD_REDUCTION

  ! Is it a number from above the least to the greatest?
  LOGICAL FUNCTION IS_TOLERANCE(VALUE, LEAST, GREATEST)
    KPP_REAL, INTENT(IN) :: VALUE, LEAST, GREATEST
    IS_TOLERANCE = .FALSE.
    ! Not a number is not compared: that is an invalid operation.
    IF (IEEE_IS_FINITE(VALUE)) IS_TOLERANCE = VALUE > LEAST .AND. VALUE <= GREATEST
  END FUNCTION IS_TOLERANCE

  ! Tolerances in the order of Isobar: one number where there is one.
  SUBROUTINE WRITE_TOLERANCE(SPECIES, VALUES, TEXT)
    INTEGER, INTENT(IN) :: SPECIES(NSPEC)
    KPP_REAL, INTENT(IN) :: VALUES(NVAR)
    CHARACTER(:), ALLOCATABLE, INTENT(OUT) :: TEXT
    INTEGER :: I

    IF (.NOT. ANY(VALUES < VALUES(1) .OR. VALUES > VALUES(1))) THEN
      TEXT = '[' // NUMBER(VALUES(1)) // ']'
      RETURN
    END IF
    TEXT = '[' // NUMBER(VALUES(SPECIES(1)))
    DO I = 2, NVAR
      TEXT = TEXT // ', ' // NUMBER(VALUES(SPECIES(I)))
    END DO
    TEXT = TEXT // ']'
  END SUBROUTINE WRITE_TOLERANCE

  ! A number with all its digits.
  FUNCTION NUMBER(VALUE) RESULT(TEXT)
    KPP_REAL, INTENT(IN) :: VALUE
    CHARACTER(24) :: TEXT

    WRITE (TEXT, '(ES24.16E3)') VALUE
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
