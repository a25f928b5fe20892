import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { accountTokens } from '../../functions/wire/account-ports.ts';
import { table as tableWire, vault as vaultWire } from '../../functions/wire/aws.ts';
import { toolsFor as toolsWire } from '../../functions/wire/platform-tools.ts';
import type { Environment } from '../../functions/wire/start.ts';
import type { Account } from '../../lib/accounts/schemas.ts';
import { findAccount } from '../../lib/accounts/store.ts';
import { HeraldError } from '../../lib/kernel/errors.ts';
import { isId } from '../../lib/kernel/ids.ts';
import { type Platform, platformTitles } from '../../lib/platforms/contract/names.ts';
import type { PlatformTools } from '../../lib/platforms/contract/tools.ts';
import type { Table } from '../../lib/table/table.ts';
import { listWorkspaces } from '../../lib/workspaces/store.ts';
import { tableName } from '../table-name.ts';

/** An account of a stage, with the tools of its workers for calling the platform. */
export interface OpenAccount {
  readonly account: Account;
  readonly tools: PlatformTools;
  /** Reads the token, and refreshes it if it is due. */
  readonly accessToken: () => Promise<string>;
}

/**
 * Opens a connected account with the operator's AWS credentials, by the wires of the deployed functions.
 *
 * @param platformUrls the simulators' URLs in a local run; empty for the platforms themselves
 * @throws HeraldError that says what to do next
 */
export async function openAccount(
  stage: string,
  platform: Platform,
  accountId: string,
  platformUrls: Readonly<Record<string, string>>,
): Promise<OpenAccount> {
  const variables: Readonly<Record<string, string>> = {
    TABLE_NAME: await tableName(stage),
    TOKEN_KEY_ID: `alias/herald-${stage}-tokens`,
    PLATFORM_PARAMETER_PREFIX: `/herald/${stage}/platforms`,
    PLATFORM_BASE_URLS: JSON.stringify(platformUrls),
  };
  const environment: Environment = (name, fallback) => {
    const value = variables[name] ?? fallback;
    if (value === undefined) throw new Error(`${name} is missing`);
    return value;
  };
  const table = tableWire(environment);
  const account = await findInWorkspaces(table, accountId);
  const title = platformTitles[platform];
  if (account === undefined || account.platform !== platform) {
    const problem = account
      ? `is an account of ${platformTitles[account.platform]}`
      : 'is not an account of this stage';
    throw new HeraldError(
      'not_found',
      `${accountId} ${problem}. GET /v1/accounts?platform=${platform} lists the ids.`,
    );
  }
  if (account.disconnectedAt !== undefined) {
    throw new HeraldError('not_found', `${accountId} is disconnected: connect it to ${title} again.`);
  }
  const toolsFor = toolsWire(environment);
  const tokens = accountTokens({ table, vault: vaultWire(environment), toolsFor });
  const tools = await toolsFor(platform).catch((error: unknown) => {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    throw new HeraldError(
      'unavailable',
      `${title} has no app in stage ${stage}${cause}. See docs/platforms/${platform}.md.`,
    );
  });
  return { account, tools, accessToken: () => tokens.accessToken(account) };
}

async function findInWorkspaces(table: Table, accountId: string): Promise<Account | undefined> {
  if (!isId(accountId)) return undefined;
  for (const { id } of await listWorkspaces(table)) {
    const account = await findAccount(table, id, accountId);
    if (account) return account;
  }
  return undefined;
}

/** Returns a new word for the texts of a run, such as `k3f9z2`. */
export const newMark = (): string => randomBytes(4).toString('hex');

/** Waits in real time; rejects if the signal is aborted. */
export const sleep = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
  await delay(milliseconds, undefined, signal && { signal });
};
