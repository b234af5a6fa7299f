# A server in a container, from the Debian package that `make deb` writes. Nothing is built here.
#
#   make deb
#   docker build -t openhealthkit .
#   docker run -d --name health -p 127.0.0.1:8080:8080 -v health:/var/lib/openhealthkit openhealthkit
#   docker exec health hk person add anna --data /var/lib/openhealthkit
#   docker exec health hk person link anna --data /var/lib/openhealthkit
#
# Packaging/compose.yaml starts it with volumes and a backup.
FROM debian:bookworm-slim@sha256:96e378d7e6531ac9a15ad505478fcc2e69f371b10f5cdf87857c4b8188404716
COPY .build-package/deb/openhealthkit_*.deb /tmp/
RUN apt-get update \
    && apt-get install -y --no-install-recommends /tmp/openhealthkit_*.deb ca-certificates libpq5 \
    && install -d -m 700 -o openhealthkit -g openhealthkit /var/backups/openhealthkit \
    && rm -rf /tmp/openhealthkit_*.deb /var/lib/apt/lists/*
USER openhealthkit
WORKDIR /var/lib/openhealthkit
VOLUME /var/lib/openhealthkit
EXPOSE 8080
ENTRYPOINT ["hk"]
# The container's network is private; publish the port on loopback, or put a proxy with TLS in front and name its URL
# with --public-url.
CMD ["serve", "--data", "/var/lib/openhealthkit", "--host", "0.0.0.0", "--port", "8080", "--allow-insecure", "--no-sign-in"]
