import { describe } from 'vitest';
import {
  testGeneratedRequests,
  testHugeBodies,
  withBody,
  withoutBody,
} from '../../../support/hostile-requests.ts';

describe('2,000 generated requests', { timeout: 600_000 }, () =>
  testGeneratedRequests([...withBody, ...withoutBody], 2_000),
);

describe('every huge body', () => testHugeBodies(() => true));
