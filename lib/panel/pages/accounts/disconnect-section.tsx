import { useState } from 'react';
import type { Account } from '../../accounts/account.ts';
import { Button } from '../../components/button.tsx';
import { Section } from '../../components/section.tsx';
import { words } from '../../words/words.ts';
import { useIsOwner } from '../../workspace.tsx';
import { DisconnectDialog } from './disconnect-dialog.tsx';
import classes from './disconnect-section.module.css';

/** The end of the connection, which is for owners. */
export function DisconnectSection({ account }: { account: Account }) {
  const isOwner = useIsOwner();
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title={words.accountsPage.disconnect.title}
      isCard
      lead={words.accountsPage.disconnect.text}
      actions={isOwner && <Button onPress={() => setOpen(true)}>{words.accountsPage.disconnect.open}</Button>}
    >
      {!isOwner && <p className={classes.note}>{words.accountsPage.disconnect.ownersOnly}</p>}
      <DisconnectDialog account={account} isOpen={isOpen} onClose={() => setOpen(false)} />
    </Section>
  );
}
