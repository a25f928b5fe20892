import type { Account } from '../../../lib/accounts/schemas.ts';
import type { DataKeys } from '../../../lib/aws/data-keys.ts';
import { Rhythm } from '../../../lib/rhythm/schemas.ts';
import { setRhythm } from '../../../lib/rhythm/store.ts';
import { createWebhook } from '../../../lib/webhooks/endpoints/create.ts';
import { createWorkspace } from '../../../lib/workspaces/manage.ts';
import { actOf, anOperator } from '../../support/acts.ts';
import { openVault } from '../cloud/dependencies.ts';
import { idealNetworkTo } from '../platforms/network.ts';
import { app, type Platforms } from '../platforms/platforms.ts';
import type { Service } from '../service.ts';
import type { World } from '../world/world.ts';
import { connectAccount } from './connect.ts';
import { receiversNetwork } from './events.ts';
import type { PlannedWorkspace } from './plan.ts';

/** A workspace of the run, ready for its clients. */
export interface ReadyWorkspace {
  readonly id: string;
  readonly plan: PlannedWorkspace;
  /** The accounts in the order of the plan. */
  readonly accounts: readonly Account[];
  readonly username: string;
}

export interface SetupPorts {
  readonly world: World;
  readonly service: Service;
  readonly platforms: Platforms;
  readonly dataKeys: DataKeys;
}

const usernames = ['harbour.coffee', 'harbour.tea'] as const;

/** Returns a workspace's user at the platforms. @param index the place of the workspace in its scenario */
export const usernameOf = ({ sharesAccounts = false }: PlannedWorkspace, index: number): string =>
  usernames[sharesAccounts ? 0 : index] ?? usernames[0];

const keyId = 'customer';

/** Creates a workspace with its accounts, rhythms and webhook endpoint, before anything can go wrong. */
export async function setUp(
  { world, service, platforms, dataKeys }: SetupPorts,
  plan: PlannedWorkspace,
  index: number,
): Promise<ReadyWorkspace> {
  const { table } = service;
  // The accounts were connected before the stage shared its data keys.
  const vault = openVault(world, dataKeys);
  const username = usernameOf(plan, index);
  const { id, cursorSecret } = await createWorkspace(anOperator(table, world.now(), 'workspace.create'), {
    name: `workspace ${index}`,
  });
  const context = { table, workspaceId: id, ...actOf(keyId, 'rhythm.set'), cursorSecret, now: world.now() };
  const accounts: Account[] = [];
  for (const planned of plan.accounts) {
    const { platform } = planned;
    if (planned.settings) await platforms.control(platform, 'PUT', 'settings', planned.settings);
    const tools = { app, now: world.now, http: idealNetworkTo(platforms, platform) };
    const connectPorts = { world, table, vault, platforms, toolsFor: async () => tools };
    const account = await connectAccount(connectPorts, id, planned, username);
    accounts.push(account);
    if (planned.rhythm) await setRhythm(context, account.id, Rhythm.parse(planned.rhythm));
  }
  if (plan.hasWebhook) {
    await createWebhook(
      { ...context, vault, network: receiversNetwork },
      {
        url: 'https://customer.example/webhooks',
        events: ['*'],
        accountIds: null,
        isActive: true,
        description: null,
      },
    );
  }
  return { id, plan, accounts, username };
}
