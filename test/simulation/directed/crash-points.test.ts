import { testCrashPoints } from './test-crash-points.ts';

/** A sample of the calls: the deep run has all. */
testCrashPoints({ step: 401 });
