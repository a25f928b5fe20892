import { expect, it } from 'vitest';
import { production, synthesize } from '../../infra/support/synthesize.ts';

it('a release in production has no cdk-nag finding that is not acknowledged with a reason', () => {
  const { findings, remove } = synthesize({ stage: production, checked: true });
  remove();
  expect(findings).toEqual([]);
}, 300_000);
