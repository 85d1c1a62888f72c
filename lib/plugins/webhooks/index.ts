export { type WebhookSettings, webhook } from './webhook.ts';
