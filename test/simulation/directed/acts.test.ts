import { testActs } from './test-acts.ts';

/** A sample: `npm run simulate -- --acts` and the deep run have every call. */
testActs(61);
