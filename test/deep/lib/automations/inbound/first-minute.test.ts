import { afterAll, beforeAll, it } from 'vitest';
import { expectFirstMinuteAnswered } from '../../../../lib/automations/inbound/first-minute.ts';
import { openInstagram, type SimulatedInstagram } from '../../../../support/instagram.ts';
import { createTestTable } from '../../../../support/table.ts';

let instagram: SimulatedInstagram;
beforeAll(async () => {
  instagram = await openInstagram();
  await instagram.put('limits', { privateRepliesPerHour: 100_000 });
});
afterAll(() => instagram.close());

it('1,000 people who comment in the first minute of a post get one answer each', async () => {
  await expectFirstMinuteAnswered(await createTestTable(), instagram, 1_000);
  // Some 30,000 requests to the database.
}, 900_000);
