//! The chemical elements, for mechanisms that include KPP's list of atoms and do not bring it.

const SYMBOLS: &str = "\
    H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr \
    Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir \
    Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr";

/// Is this how KPP's list is called?
pub(crate) fn is_list(name: &str) -> bool {
    name.eq_ignore_ascii_case("atoms") || name.eq_ignore_ascii_case("atoms.kpp")
}

/// The list, in KPP's language.
pub(crate) fn list() -> String {
    let atoms: Vec<&str> = SYMBOLS.split_whitespace().collect();
    format!("#ATOMS {};\n", atoms.join("; "))
}
