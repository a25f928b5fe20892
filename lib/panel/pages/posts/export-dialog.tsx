import { useEffect, useRef, useState } from 'react';
import { useAccountsById } from '../../accounts/use-accounts.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions, DialogBody } from '../../components/dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Muted } from '../../components/layout.tsx';
import { Radio, RadioGroup } from '../../components/radio-group.tsx';
import { toast } from '../../components/toast-list.ts';
import type { ListedPost } from '../../posts/post.ts';
import { dayIn } from '../../time.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import { saveFile } from '../results/csv.ts';
import { readAll, toCsv } from './export.ts';
import type { ListQuery } from './list.ts';

const texts = words.postsPage.export;

interface ExportDialogProps {
  selected: readonly ListedPost[];
  query: ListQuery;
  onClose: () => void;
}

/** Saves posts as a CSV file: the selected ones, or all that the service has for the filters. Closing it ends the reading. */
export function ExportDialog({ selected, query, onClose }: ExportDialogProps) {
  const { id: workspaceId, timezone } = useWorkspace();
  const accounts = useAccountsById();
  const [isOfAll, setOfAll] = useState(selected.length === 0);
  const [read, setRead] = useState<number>();
  const [error, setError] = useState<Error>();
  const stopper = useRef<AbortController>(undefined);
  useEffect(() => () => stopper.current?.abort(), []);
  const save = async () => {
    const controller = new AbortController();
    stopper.current = controller;
    setError(undefined);
    setRead(0);
    try {
      const options = { workspaceId, signal: controller.signal, onProgress: setRead };
      const { posts, isCut } = isOfAll ? await readAll(query, options) : { posts: selected, isCut: false };
      if (controller.signal.aborted) return;
      const day = dayIn(new Date(), timezone);
      // With a mark of its encoding: else spreadsheets show letters with accents as others.
      saveFile(`posts-${day}.csv`, 'text/csv', `\uFEFF${toCsv(posts, accounts ?? new Map())}`);
      toast({ text: (isCut ? texts.most : texts.done)(posts.length) });
      onClose();
    } catch (caught) {
      if (controller.signal.aborted) return;
      setError(caught instanceof Error ? caught : new Error(String(caught)));
      setRead(undefined);
    }
  };
  return (
    <Dialog title={texts.title} isOpen onClose={onClose}>
      <DialogBody>
        {selected.length > 0 && (
          <RadioGroup
            label={texts.which}
            value={isOfAll ? 'all' : 'selected'}
            isDisabled={read !== undefined}
            onChange={(value) => setOfAll(value === 'all')}
          >
            <Radio value="selected">{texts.selected(selected.length)}</Radio>
            <Radio value="all">{texts.all}</Radio>
          </RadioGroup>
        )}
        {selected.length === 0 && <p>{texts.all}.</p>}
        <Muted>{texts.note}</Muted>
        <p role="status">{read !== undefined && texts.reading(read)}</p>
        {error && <ErrorNotice error={error} title={texts.failed} />}
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{words.shared.actions.cancel}</Button>
        <Button
          variant="primary"
          isPending={read !== undefined}
          isDisabled={accounts === undefined}
          onPress={() => void save()}
        >
          {texts.action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
