import { expect, it } from 'vitest';
import { ratesPerMinute } from '../../../functions/wire/settings.ts';
import { environmentOf } from '../../../functions/wire/start.ts';

it.each([
  { key: '', workspace: '', limits: { address: 600, key: undefined, workspace: undefined } },
  { key: '120', workspace: '', limits: { address: 600, key: 120, workspace: undefined } },
  { key: '', workspace: '3000', limits: { address: 600, key: undefined, workspace: 3_000 } },
])(
  'limits per key "$key" and workspace "$workspace" apply only if the stage has them',
  ({ key, workspace, limits }) => {
    const environment = environmentOf({
      RATE_LIMIT_PER_MINUTE: '600',
      KEY_RATE_LIMIT_PER_MINUTE: key,
      WORKSPACE_RATE_LIMIT_PER_MINUTE: workspace,
    });
    expect(ratesPerMinute(environment)).toEqual(limits);
  },
);
