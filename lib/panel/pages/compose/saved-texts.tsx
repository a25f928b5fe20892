import { lazy, Suspense, useState } from 'react';
import { Button } from '../../components/button.tsx';
import type { Cursor, KnownValues } from '../../snippets/snippets.ts';
import { words } from '../../words/words.ts';
import { accountName, useComposing } from './context.ts';
import { idOfKey, keys } from './draft/places.ts';
import { instantText } from './draft/to-request.ts';

const SnippetsDialog = lazy(async () => ({
  default: (await import('../../snippets/snippets-dialog.tsx')).SnippetsDialog,
}));

/** Opens the saved texts, to insert one where the cursor is in the shared text. */
export function SavedTexts() {
  const { draft, act, accounts } = useComposing();
  const [cursor, setCursor] = useState<Cursor>();
  const open = () => {
    const area = document.getElementById(idOfKey(keys.content))?.querySelector('textarea');
    const end = draft.content.length;
    setCursor({
      text: draft.content,
      from: area?.selectionStart ?? end,
      to: area?.selectionEnd ?? end,
    });
  };
  const [only, ...others] = draft.destinations;
  const known: KnownValues = {
    ...(only && others.length === 0 && { account: accountName(accounts, only.accountId, only.platform) }),
    ...dateOf(draft),
  };
  return (
    <>
      <Button size="small" variant="quiet" icon="plus" onPress={open}>
        {words.composer.savedTexts}
      </Button>
      {cursor && (
        <Suspense>
          <SnippetsDialog
            cursor={cursor}
            known={known}
            onInsert={(content) => act({ do: 'write', content })}
            onClose={() => setCursor(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}

/** The day of the post in its time zone, if it is known. */
function dateOf({ when, timezone }: ReturnType<typeof useComposing>['draft']): KnownValues {
  if (when.kind === 'slot') return {};
  const at = when.kind === 'at' ? instantText(when.time, timezone) : undefined;
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' });
  return { date: day.format(at === undefined ? Date.now() : new Date(at)) };
}
