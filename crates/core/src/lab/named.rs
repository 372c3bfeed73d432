/// An enum whose variants stand beside their names, `StandIn = "stand-in"`: gives `ALL`, `name` and `Display`.
#[macro_export]
macro_rules! named {
    (
        $(#[$about:meta])*
        $visibility:vis enum $enum:ident { $($(#[$of:meta])* $variant:ident = $name:literal),* $(,)? }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $visibility enum $enum { $($(#[$of])* $variant),* }

        #[allow(dead_code)]
        impl $enum {
            /// Each of them, in the order in which they are declared.
            $visibility const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// What it is called.
            $visibility const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),*
                }
            }
        }

        impl std::fmt::Display for $enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}
pub use named;
