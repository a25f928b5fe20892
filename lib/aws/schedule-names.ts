import { paginateListSchedules, SchedulerClient } from '@aws-sdk/client-scheduler';

/**
 * Lists the names of all schedules of a group, with one request per hundred.
 *
 * @throws the SDK's error if the group does not exist, or the caller may not list it
 */
export async function listScheduleNames(groupName: string): Promise<string[]> {
  const names: string[] = [];
  const query = { GroupName: groupName, MaxResults: 100 };
  for await (const { Schedules = [] } of paginateListSchedules({ client: new SchedulerClient() }, query))
    names.push(...Schedules.flatMap(({ Name }) => Name ?? []));
  return names;
}
