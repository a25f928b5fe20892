import { Button } from '../../../components/button.tsx';
import { ButtonLink } from '../../../components/link.tsx';
import { Notice } from '../../../components/notice.tsx';
import textClasses from '../../../components/texts.module.css';
import type { Post, Target } from '../../../posts/post.ts';
import { words } from '../../../words/words.ts';
import type { Draft } from '../draft/draft.ts';
import { useCopyAsNew } from '../state/use-copy-as-new.ts';
import classes from './composer.module.css';

interface ReadOnlyPostProps {
  post: Post;
  status: Target['status'];
  changes: { draft: Draft; finish: () => void } | undefined;
}

const texts = words.composer.edit;

/** A post that can no longer be changed: why, and what becomes of what was typed. */
export function ReadOnlyPost({ post, status, changes }: ReadOnlyPostProps) {
  const copyAsNew = useCopyAsNew();
  return (
    <div className={classes['composer']}>
      <Notice
        tone="warn"
        title={texts.readOnlyTitle}
        actions={
          <ButtonLink size="small" to="/posts/$id" params={{ id: post.id }}>
            {texts.toPost}
          </ButtonLink>
        }
      >
        {texts.readOnly[status]}
      </Notice>
      {changes !== undefined && (
        <Notice
          tone="info"
          actions={
            <Button
              size="small"
              onPress={() => {
                changes.finish();
                copyAsNew(changes.draft);
              }}
            >
              {texts.copyAsNew}
            </Button>
          }
        >
          {texts.hasChanges}
          <p className={textClasses['excerpt']}>{changes.draft.content}</p>
        </Notice>
      )}
    </div>
  );
}
