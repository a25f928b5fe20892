import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { featureFlags } from '../../infra/feature-flags.ts';

const recommended = JSON.parse(
  readFileSync(
    join(import.meta.dirname, '../../node_modules/aws-cdk-lib/recommended-feature-flags.json'),
    'utf8',
  ),
);

/** Flags for which we have decided otherwise. */
const own = { '@aws-cdk/core:defaultCrossStackReferences': 'strong' };

it('each feature flag of CDK has a value, which is the recommended one unless we have decided otherwise', () => {
  expect(Object.keys(recommended).length).toBeGreaterThan(50);
  expect(featureFlags).toEqual({ ...recommended, ...own });
});
