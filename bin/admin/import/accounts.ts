import * as z from 'zod';
import { isId } from '../../../lib/kernel/ids.ts';
import { type ApiAccess, ask } from './api.ts';
import type { FindAccount } from './csv.ts';

const Accounts = z.object({
  accounts: z.array(z.object({ id: z.string(), platform: z.string(), username: z.string().nullish() })),
});
type ListedAccount = z.infer<typeof Accounts>['accounts'][number];

/** Lists the accounts that the key may use. @throws ApiFailure */
export async function listAccounts(api: ApiAccess): Promise<readonly ListedAccount[]> {
  return Accounts.parse(await ask(api, 'GET', '/v1/accounts')).accounts;
}

/** Finds accounts by id or by `platform:username`, ignoring case and an `@` before the name. Pure. */
export function accountFinder(accounts: readonly ListedAccount[]): FindAccount {
  const plain = (text: string) => text.toLowerCase().replace(':@', ':');
  const byName = Map.groupBy(accounts, ({ platform, username }) => plain(`${platform}:${username}`));
  return (name) => {
    // The API checks the id.
    if (isId(name)) return { id: name };
    const [found, ...others] = byName.get(plain(name)) ?? [];
    if (!found) return { problem: `no account "${name}"; GET /v1/accounts lists them` };
    return others.length === 0
      ? { id: found.id }
      : { problem: `several accounts are "${name}": give the id` };
  };
}
