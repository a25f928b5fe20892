import { Button } from '../../components/button.tsx';
import { Link } from '../../components/link.tsx';
import { conditionOfPost, excerptOf, type ListedPost } from '../../posts/post.ts';
import { PostState } from '../../posts/post-state.tsx';
import { words } from '../../words/words.ts';
import classes from './now.module.css';
import rows from './rows.module.css';

const texts = words.nowPage.dismissed;

interface DismissedListProps {
  posts: readonly ListedPost[];
  onRestore: (post: ListedPost) => void;
}

/** What the person has dismissed in this browser, so that nothing is lost from sight. */
export function DismissedList({ posts, onRestore }: DismissedListProps) {
  if (posts.length === 0) return null;
  return (
    <details className={classes['older']}>
      <summary>{texts.title(posts.length)}</summary>
      <p className={classes['minor']}>{texts.note}</p>
      <ul className={rows['rows']} aria-label={texts.list}>
        {posts.map((post) => (
          <li key={post.id} className={rows['dismissed']}>
            <Link to="/posts/$id" params={{ id: post.id }}>
              <bdi>{excerptOf(post) ?? words.post.noText}</bdi>
            </Link>
            <PostState condition={conditionOfPost(post)} />
            <Button size="small" variant="quiet" onPress={() => onRestore(post)}>
              {texts.restore}
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}
