import * as z from 'zod';
import type { Vault } from '../accounts/vault.ts';
import { sha256 } from '../kernel/ids.ts';
import type { ConnectableAccount } from '../platforms/contract/authorization.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import { Candidate } from './schemas.ts';

interface ChoiceRef {
  readonly workspaceId: string;
  readonly token: string;
}

/** A DynamoDB item holds at most 400 KB. */
const maxSealedCharacters = 380_000;

const sealContext = ({ workspaceId, token }: ChoiceRef) => ({
  workspace: workspaceId,
  choice: sha256(token),
  purpose: 'choice',
});

/** @throws PlatformError if the accounts do not fit in one item (some hundreds do) */
export async function sealCandidates(
  vault: Vault,
  choice: ChoiceRef,
  accounts: readonly ConnectableAccount[],
): Promise<string> {
  const sealed = await vault.seal(JSON.stringify(accounts), sealContext(choice));
  if (sealed.length > maxSealedCharacters) {
    throw new PlatformError(
      'rejected',
      `This login has ${accounts.length} accounts, too many to choose from. Allow fewer of them at the platform, then connect again.`,
    );
  }
  return sealed;
}

export async function openCandidates(vault: Vault, choice: ChoiceRef, sealed: string): Promise<Candidate[]> {
  return z.array(Candidate).parse(JSON.parse(await vault.open(sealed, sealContext(choice))));
}
