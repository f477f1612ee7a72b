"""What tests of provider plugins share: a service on loopback, and a host that proves what a plugin finds in its replies."""
