import { Skeleton } from '../components/skeleton.tsx';

/** While the code of a page loads. */
export function PagePending() {
  return <Skeleton rows={5} />;
}
