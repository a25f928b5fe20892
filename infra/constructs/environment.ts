import type { ApiRights, FunctionDefinition, Setting, WorkerRights } from '../functions/definition.ts';
import type { DataResources, PublishingResources } from './resources.ts';

/** A right on a thing brings the variable that names the thing: a function knows of nothing that it may not use. */
export function dataVariables(rights: ApiRights | WorkerRights, data: DataResources): Record<string, string> {
  const {
    table = [],
    tablePartitions,
    indexes = [],
    media = [],
    tokens = [],
    platformSecrets = false,
  } = rights;
  return {
    ...((table.length > 0 || tablePartitions || indexes.length > 0) && { TABLE_NAME: data.tableName }),
    ...(media.length > 0 && { MEDIA_BUCKET: data.mediaBucketName }),
    ...(tokens.length > 0 && { TOKEN_KEY_ID: data.tokenKeyId }),
    ...(platformSecrets && {
      PLATFORM_PARAMETER_PREFIX: data.platformParameterPrefix,
      // Platform to base address, where it is another than the platform's own.
      PLATFORM_BASE_URLS: '{}',
    }),
    ...(rights.sends?.some((queue) => queue === 'webhook') && { WEBHOOK_QUEUE_URL: data.webhookQueueUrl }),
    ...(rights.sends?.some((queue) => queue === 'inbound') && { INBOUND_QUEUE_URL: data.inboundQueueUrl }),
  };
}

/** The same for what a worker may set off. */
export function publishingVariables(
  rights: WorkerRights,
  publishing: PublishingResources,
): Record<string, string> {
  const { sends = [], setsAside = false, schedules = [] } = rights;
  return {
    ...(sends.includes('publish') && { PUBLISH_QUEUE_URL: publishing.publishQueueUrl }),
    ...(setsAside && { PUBLISH_DEAD_LETTER_URL: publishing.publishDeadLetterUrl }),
    ...(sends.includes('chain') && { CHAIN_QUEUE_URL: publishing.chainQueueUrl }),
    ...(sends.includes('automation') && { AUTOMATION_QUEUE_URL: publishing.automationQueueUrl }),
    ...(schedules.length > 0 && {
      SCHEDULE_GROUP: publishing.scheduleGroupName,
      SCHEDULE_ROLE_ARN: publishing.scheduleRoleArn,
      PUBLISH_QUEUE_ARN: publishing.publishQueueArn,
      SCHEDULE_DEAD_LETTER_ARN: publishing.scheduleDeadLetterArn,
    }),
  };
}

/** The variables that a function asks for by name. */
export function settingVariables(
  { name, settings = [] }: FunctionDefinition<unknown>,
  values: Partial<Record<Setting, string>>,
): Record<string, string> {
  return Object.fromEntries(
    settings.map((setting) => {
      const value = values[setting];
      if (value === undefined) throw new Error(`${name} asks for ${setting}, which its stack does not have`);
      return [setting, value];
    }),
  );
}
