import { Button } from '../../../components/button.tsx';
import { ButtonLink } from '../../../components/link.tsx';
import { Notice } from '../../../components/notice.tsx';
import textClasses from '../../../components/texts.module.css';
import { words } from '../../../words/words.ts';
import type { Draft } from '../draft/draft.ts';
import { useCopyAsNew } from '../state/use-copy-as-new.ts';
import classes from './composer.module.css';

interface SentPostProps {
  postId: string;
  elsewhere: Draft | undefined;
  onAnother: () => void;
}

const texts = words.composer.elsewhere;

/** In place of the form of a post that was sent, so that it is not sent again. */
export function SentPost({ postId, elsewhere, onAnother }: SentPostProps) {
  const copyAsNew = useCopyAsNew();
  return (
    <div className={classes['composer']}>
      <Notice
        tone={elsewhere === undefined ? 'info' : 'warn'}
        isLive
        actions={
          <>
            <ButtonLink size="small" to="/posts/$id" params={{ id: postId }}>
              {texts.sentLink}
            </ButtonLink>
            {elsewhere === undefined ? (
              <Button size="small" onPress={onAnother}>
                {words.post.newPost}
              </Button>
            ) : (
              <Button size="small" onPress={() => copyAsNew(elsewhere)}>
                {texts.again}
              </Button>
            )}
          </>
        }
      >
        {elsewhere === undefined ? texts.saved : texts.sent}
        {elsewhere !== undefined && <p className={textClasses['excerpt']}>{elsewhere.content}</p>}
      </Notice>
    </div>
  );
}
