import { testCrashPoints } from '../../../simulation/directed/test-crash-points.ts';

testCrashPoints({ step: 1 });
