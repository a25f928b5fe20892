import { describe } from 'vitest';
import { testGeneratedRequests, withoutBody } from '../../support/hostile-requests.ts';

describe('generated paths and queries', () => testGeneratedRequests(withoutBody, 20));
