import { describe } from 'vitest';
import { testGeneratedRequests, testHugeBodies, withBody } from '../../support/hostile-requests.ts';

describe('generated bodies', () => testGeneratedRequests(withBody, 20));

describe('huge bodies', () => testHugeBodies((operation, body) => (operation + body) % 3 === 0));
