import { Skeleton } from '../../components/skeleton.tsx';

export default function EndpointsTab() {
  return <Skeleton rows={4} />;
}
