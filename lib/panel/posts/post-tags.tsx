import { lazy, Suspense, useState } from 'react';
import type { editPostOperation } from '../../posts/request/operations.ts';
import { useSend } from '../api/hooks.ts';
import { Button } from '../components/button.tsx';
import { Dialog, DialogActions, DialogBody } from '../components/dialog.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Row } from '../components/layout.tsx';
import { words } from '../words/words.ts';
import type { Post } from './post.ts';
import { TagChips } from './tag-chips.tsx';

const TagPicker = lazy(async () => ({ default: (await import('./tag-picker.tsx')).TagPicker }));

const texts = words.tags;

/** The tags of a post, which a person may change in every state of the post. */
export default function PostTags({ post: { id, tags = [] } }: { post: Post }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Row gap={2}>
      <TagChips names={tags} label={texts.title} />
      <Button size="small" variant="quiet" icon="pencil" onPress={() => setOpen(true)}>
        {texts.edit}
      </Button>
      {isOpen && <EditTagsDialog id={id} tags={tags} onClose={() => setOpen(false)} />}
    </Row>
  );
}

interface EditTagsDialogProps {
  id: string;
  tags: readonly string[];
  onClose: () => void;
}

function EditTagsDialog({ id, tags, onClose }: EditTagsDialogProps) {
  const [chosen, setChosen] = useState(tags);
  const edit = useSend<typeof editPostOperation>('PATCH', '/v1/posts/{id}', [
    '/v1/posts/{id}',
    '/v1/posts',
    '/v1/tags',
  ]);
  return (
    <Dialog title={texts.edit} isOpen onClose={onClose}>
      <DialogBody>
        <Suspense>
          <TagPicker value={chosen} onChange={setChosen} />
        </Suspense>
        {edit.error && <ErrorNotice error={edit.error} title={texts.notSaved} />}
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{words.shared.actions.cancel}</Button>
        <Button
          variant="primary"
          isPending={edit.isPending}
          onPress={() => edit.mutate({ path: { id }, body: { tags: [...chosen] } }, { onSuccess: onClose })}
        >
          {texts.save}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
