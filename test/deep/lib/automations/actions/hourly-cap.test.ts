import { it } from 'vitest';
import { messagingLimits } from '../../../../../lib/platforms/instagram/limits.ts';
import { expectRestWithinNextHour } from '../../../../support/crowd.ts';
import { createTestTable } from '../../../../support/table.ts';

it('more people than Instagram’s own hourly cap allows get a message at once or within the next hour, none twice', async () => {
  const { privateRepliesPerHour: perHour } = messagingLimits;
  const platformAccountId = '17841400000000078';
  const table = await createTestTable();
  await expectRestWithinNextHour(table, { people: perHour + 50, perHour, platformAccountId });
  // Some 6,000 requests to the database.
}, 390_000);
