# One node that stands in for EventStoreDB: test/engines/eventstoredb, on what the service's own image brings.
ARG COINTILL_IMAGE
FROM ${COINTILL_IMAGE}
USER root
RUN install --directory --owner=cointill --group=cointill /var/lib/eventstore
COPY eventstoredb test/engines/eventstoredb
USER cointill
VOLUME /var/lib/eventstore
CMD ["test/engines/eventstoredb/main.ts", "--host", "0.0.0.0", "--data", "/var/lib/eventstore"]
