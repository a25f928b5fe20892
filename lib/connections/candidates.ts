import * as z from 'zod';
import type { Vault } from '../accounts/vault.ts';
import { sha256 } from '../kernel/ids.ts';
import type { ConnectableAccount } from '../platforms/contract/authorization.ts';
import { Candidate } from './schemas.ts';

interface AttemptRef {
  readonly workspaceId: string;
  readonly state: string;
}

/** The maximum length of sealed accounts. A DynamoDB item holds at most 400 KB. */
const maxSealedCharacters = 380_000;

const sealContext = ({ workspaceId, state }: AttemptRef) => ({
  workspace: workspaceId,
  choice: sha256(state),
  purpose: 'choice',
});

/** Encrypts the accounts of a login. @returns `undefined` if they do not fit in one item (some hundreds do) */
export async function sealCandidates(
  vault: Vault,
  attempt: AttemptRef,
  accounts: readonly ConnectableAccount[],
): Promise<string | undefined> {
  const sealed = await vault.seal(JSON.stringify(accounts), sealContext(attempt));
  return sealed.length > maxSealedCharacters ? undefined : sealed;
}

/** @throws Error if the text was sealed for another attempt */
export async function openCandidates(vault: Vault, attempt: AttemptRef, sealed = ''): Promise<Candidate[]> {
  return z.array(Candidate).parse(JSON.parse(await vault.open(sealed, sealContext(attempt))));
}
