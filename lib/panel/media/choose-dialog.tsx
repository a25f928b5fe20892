import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog, DialogActions, DialogBody } from '../components/dialog.tsx';
import { Muted, Stack } from '../components/layout.tsx';
import { useTyped } from '../use-filters.ts';
import { words } from '../words/words.ts';
import type { DraftMedia, MediaView } from './draft-media.ts';
import { fromLibrary } from './library.ts';
import { LibraryList } from './library-list.tsx';

const texts = words.mediaPage;

interface ChooseDialogProps {
  /** The number of files that the post can still take. */
  left: number;
  onChoose: (files: readonly DraftMedia[]) => void;
  onClose: () => void;
}

/** The choice among the files that the workspace has. */
export function ChooseDialog({ left, onChoose, onClose }: ChooseDialogProps) {
  const [q, setQ] = useState('');
  const [text, setText] = useTyped(q, setQ);
  const [kind, setKind] = useState('');
  const [selected, setSelected] = useState<ReadonlyMap<string, MediaView>>(new Map());
  return (
    <Dialog title={texts.choose.title} isOpen size="large" onClose={onClose}>
      <DialogBody>
        <Stack gap={3}>
          <Muted>{texts.choose.most(left)}</Muted>
          <LibraryList
            filters={{ q, kind }}
            text={text}
            onText={setText}
            onKind={setKind}
            onClear={() => {
              setText('');
              setKind('');
            }}
            isReadyOnly
            selected={selected}
            onSelect={setSelected}
            most={left}
          />
        </Stack>
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{words.shared.actions.cancel}</Button>
        <Button
          variant="primary"
          isDisabled={selected.size === 0}
          onPress={() => onChoose([...selected.values()].map(fromLibrary))}
        >
          {texts.useThese(selected.size)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
