import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Automation } from '../../../../lib/automations/schemas.ts';
import { openInstagram, type SimulatedInstagram } from '../../../support/instagram.ts';
import { createTestTable } from '../../../support/table.ts';
import { type Fixture, openFixture } from '../fixture.ts';

let instagram: SimulatedInstagram;
let fixture: Fixture;
beforeAll(async () => {
  const [table, opened] = await Promise.all([createTestTable(), openInstagram()]);
  instagram = opened;
  await instagram.put('limits', { privateRepliesPerHour: 100_000 });
  fixture = await openFixture(table, instagram);
});
afterAll(() => instagram.close());

let people = 0;
let name = '';
beforeEach(() => {
  people += 1;
  name = `late.${people}`;
});

const lags = [0, 30, 120, 'forever'] as const;

describe.each(lags)('if Instagram’s lists lag by %s seconds', (readLagSeconds) => {
  const lagging = () => instagram.put('settings', { readLagSeconds });

  it.each(['drop-reply', 'timeout-after', 'error-after:2'])(
    'a public reply whose response is lost (%s) is not posted twice',
    async (fault) => {
      await lagging();
      const automation = await fixture.automation({ dmMessage: null });
      const comment = await fixture.comment(automation, name);
      await instagram.plan('replies', fault);
      const [action] = await fixture.runToEnd(automation);
      expect(await fixture.repliesTo(comment)).toHaveLength(1);
      expect(action?.state).toBe(readLagSeconds === 'forever' ? 'unknown' : 'done');
    },
  );
});
