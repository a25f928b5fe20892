import type { Account } from '../../accounts/account.ts';
import { ExternalLink, Link } from '../../components/link.tsx';
import { words } from '../../words/words.ts';
import type { AutomationDetail } from './funnel.ts';
import type { Remedy } from './reasons.ts';

const texts = words.automationsPage.detail.remedies;

export interface RemedyLinkProps {
  remedy: Remedy | undefined;
  automation: Pick<AutomationDetail, 'id'>;
  account: Pick<Account, 'id'> | undefined;
  permalink: string | null;
}

/** Leads to where a person can do something about it. Nothing if there is no such place. */
export function RemedyLink({ remedy, automation, account, permalink }: RemedyLinkProps) {
  if (remedy === 'edit')
    return (
      <Link to="/automations/$id/edit" params={{ id: automation.id }}>
        {texts.edit}
      </Link>
    );
  if (remedy === 'post') return permalink && <ExternalLink href={permalink}>{texts.post}</ExternalLink>;
  if (remedy === undefined) return null;
  return account ? (
    <Link to="/accounts/$id" params={{ id: account.id }}>
      {texts.account}
    </Link>
  ) : (
    <Link to="/accounts">{texts.accounts}</Link>
  );
}
