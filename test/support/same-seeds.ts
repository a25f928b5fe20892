import fc from 'fast-check';

// The same values in every run. The deep run draws others each time; a failure names its seed.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 42 });
