# The reference app. docs/guides/run-in-a-container.md says what is tested of this file, and what is not.
FROM node:24-slim
WORKDIR /app

COPY package.json package-lock.json ./
RUN npm ci

COPY . .
RUN npm run build && mkdir /data && chown -R node:node /data .next

ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 COUNTERSIGN_DATA=/data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK CMD ["node", "-e", "fetch('http://127.0.0.1:3000/api/health/live').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Without npm in between: it does not pass SIGTERM on.
CMD ["node", "-C", "countersign-source", "server.ts"]
